import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import type { ScriptedMessage } from "./scriptedStdio.ts";
import { type ScriptedExchange, type ScriptedHttp, startScriptedHttp } from "./scriptedHttp.ts";

export type SkillEra = "modern" | "legacy";

const EXTENSION = "io.modelcontextprotocol/skills";

/** The text of a SKILL.md. */
export function skillText(name: string, body = "Do it."): string {
  return `---\nname: ${name}\ndescription: How to do ${name}\n---\n\n${body}\n`;
}

/** An entry of `skills/list` that fits its files; the first one is SKILL.md. */
export function skillEntry(root: string, files: Readonly<Record<string, string>>): JsonObject {
  const name = root.slice(root.lastIndexOf("/") + 1);
  return {
    uri: `${root}/SKILL.md`,
    frontmatter: { name, description: `How to do ${name}` },
    resources: Object.entries(files).map(([path, text]) => ({
      uri: `${root}/${path}`,
      digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
      size: Buffer.byteLength(text),
    })),
  };
}

/** A server of skills over HTTP whose entries and files a test changes as it likes, while it runs. */
export class SkillServer {
  readonly http: ScriptedHttp;
  /** What `skills/list` gives, page by page. */
  pages: (readonly JsonValue[])[] = [[]];
  /** Entries that only `skills/get` knows. */
  unlisted: readonly JsonObject[] = [];
  /** What `resources/read` gives, by URI. */
  readonly files = new Map<string, string>();
  /** For how many milliseconds entries and files may be kept. */
  keepEntriesMs = 0;
  keepFilesMs = 0;
  /** What it announces. */
  capabilities: JsonObject = { tools: {}, resources: {}, extensions: { [EXTENSION]: {} } };

  private constructor(http: ScriptedHttp) {
    this.http = http;
  }

  static async start(era: SkillEra): Promise<SkillServer> {
    const http = await startScriptedHttp(() => undefined);
    const server = new SkillServer(http);
    http.handler = (exchange) => {
      server.#answer(era, exchange);
    };
    return server;
  }

  /** Adds a skill whose entry and files fit. */
  add(root: string, files: Readonly<Record<string, string>>): JsonObject {
    const entry = skillEntry(root, files);
    this.pages = [[...(this.pages[0] ?? []), entry], ...this.pages.slice(1)];
    for (const [path, text] of Object.entries(files)) this.files.set(`${root}/${path}`, text);
    return entry;
  }

  /** The URIs that were read, in order. */
  get reads(): readonly string[] {
    return this.sent("resources/read").map(({ params }) => String(params.uri));
  }

  /** The messages of one method. */
  sent(method: string): readonly ScriptedMessage[] {
    return (this.http.messages as readonly ScriptedMessage[]).filter((message) => message.method === method);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  #answer(era: SkillEra, exchange: ScriptedExchange): void {
    if (exchange.method !== "POST") {
      exchange.answer(405);
      return;
    }
    const { method, id, params } = exchange.message;
    if (id === undefined) {
      exchange.answer(202);
      return;
    }
    const { capabilities, keepEntriesMs, keepFilesMs } = this;
    const keepEntries = { ttlMs: keepEntriesMs, cacheScope: "public" };
    const keepFiles = { ttlMs: keepFilesMs, cacheScope: "public" };
    const done = (fields: object): void => {
      exchange.result({ resultType: "complete", ...fields });
    };
    switch (method) {
      case "server/discover":
        if (era === "modern") done({ supportedVersions: ["2026-07-28"], capabilities });
        else exchange.error(400, -32601);
        return;
      case "initialize":
        done({ protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "skills", version: "1" } });
        return;
      case "tools/list":
        done({ tools: [] });
        return;
      case "skills/list": {
        const page = Number(params?.cursor ?? "0");
        const more = page + 1 < this.pages.length;
        done({
          skills: this.pages[page] ?? [],
          ...keepEntries,
          ...(more && { nextCursor: String(page + 1) }),
        });
        return;
      }
      case "skills/get": {
        const all = [...this.pages.flat(), ...this.unlisted] as readonly JsonObject[];
        const skill = all.find(({ uri }) => uri === params.uri);
        if (skill === undefined) exchange.error(200, -32602, `No skill at ${String(params.uri)}`);
        else done({ skill, ...keepEntries });
        return;
      }
      case "resources/read": {
        const text = this.files.get(String(params.uri));
        if (text === undefined) exchange.error(200, -32602, "No such file");
        else done({ contents: [{ uri: params.uri, mimeType: "text/markdown", text }], ...keepFiles });
        return;
      }
      default:
        exchange.error(200, -32601);
    }
  }
}
