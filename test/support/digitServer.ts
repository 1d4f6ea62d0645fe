import type { JsonObject } from "../../src/base/json.ts";
import { type ScriptedHttp, startScriptedHttp } from "./scriptedHttp.ts";

/** An integer that a double would round to an even neighbour. */
export const ODD = 9007199254740993n;
/** One that no 64 bits hold. */
export const HUGE = 12345678901234567890123n;

/**
 * The answers of a modern server that copies numbers as text and so cannot lose a digit itself. The tool `echo` gives
 * back its arguments, which may not hold objects, beside a huge integer; `ask` asks for the integer `n` and gives back
 * what it was answered. Runs in a process of its own too: it uses nothing but its parameter.
 */
function answerWithDigits(text: string): string | undefined {
  const { id, method, params } = JSON.parse(text) as {
    id?: unknown;
    method: string;
    params?: { name?: string; inputResponses?: unknown };
  };
  if (id === undefined) return undefined;
  const reply = (members: string, type = "complete"): string =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"${type}",${members}}}`;
  const integer = '{"type":"integer","maximum":9223372036854775807}';
  const give = (echo: string): string => {
    const structured = `{"echo":${echo},"huge":12345678901234567890123}`;
    return reply(
      `"content":[{"type":"text","text":${JSON.stringify(structured)}}],"structuredContent":${structured}`,
    );
  };
  switch (method) {
    case "server/discover":
      return reply('"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}');
    case "tools/list":
      return reply(
        `"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"id":${integer},"any":{}}},"outputSchema":{"type":"object","properties":{"echo":{"type":"object","properties":{"id":${integer}}},"huge":{"type":"integer","multipleOf":3}}}},{"name":"ask","inputSchema":{"type":"object"}}]`,
      );
    case "tools/call":
      if (params?.name === "echo") return give(/"arguments":(\{[^{}]*\})/.exec(text)?.[1] ?? "null");
      if (params?.inputResponses !== undefined)
        return give(/"content":(\{[^{}]*\})/.exec(text)?.[1] ?? "null");
      return reply(
        `"inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":9007199254740993,"default":9007199254740995}}}}}}`,
        "input_required",
      );
    default:
      return undefined;
  }
}

function runLines(answer: (text: string) => string | undefined): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const text = answer(line);
      if (text !== undefined) process.stdout.write(`${text}\n`);
    }
  });
}

/** The server as a command. */
export function digitServerOnStdio(): JsonObject {
  const source = `(${runLines.toString()})(${answerWithDigits.toString()});`;
  return { command: process.execPath, args: ["--input-type=module", "--eval", source] };
}

/** The server over HTTP, answering with JSON or with event streams. */
export function digitServerOverHttp(as: "json" | "sse"): Promise<ScriptedHttp> {
  return startScriptedHttp((exchange) => {
    const text = answerWithDigits(exchange.request.body);
    if (text === undefined) {
      exchange.answer(202);
    } else if (as === "json") {
      exchange.answer(200, text, { "content-type": "application/json" });
    } else {
      const stream = exchange.stream();
      stream.raw(`data: ${text}\n\n`);
      stream.end();
    }
  });
}
