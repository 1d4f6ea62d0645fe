import { errorText } from "../base/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { SkillShelf } from "../client/skills/skillShelf.ts";
import type { CallOptions, Connection } from "../protocol/connection.ts";
import { EngineError } from "../protocol/engineError.ts";
import { listSkills } from "../protocol/skills/listSkills.ts";
import { SKILL_REFUSALS } from "../protocol/skills/readSkillFile.ts";
import { acceptDefaults } from "./acceptDefaults.ts";
import { sampleArguments } from "./sampleArguments.ts";

/** A text of the context; empty where there is none. */
export function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

let calls = 0;

/** Options of one more call. */
function nextCall(): CallOptions {
  calls += 1;
  return { callId: `call-${String(calls)}`, input: acceptDefaults };
}

/** Calls a tool, and answers what it asks with the defaults. */
export async function callTool(connection: Connection, name: string, args: JsonObject): Promise<void> {
  await connection.callTool(name, args, nextCall());
}

async function request(connection: Connection, method: string, params: JsonObject): Promise<JsonObject> {
  return (await connection.request(method, params, nextCall())).result;
}

/** Calls each tool once. */
export async function callAll(connection: Connection): Promise<void> {
  const { tools } = await connection.listTools();
  for (const tool of tools) await callTool(connection, tool.name, sampleArguments(tool.inputSchema));
}

/** Lists everything that the server announces, and reads, gets or calls each. */
async function visitAll(connection: Connection): Promise<void> {
  const { capabilities } = connection.negotiation;
  await callAll(connection);
  if (capabilities["resources"] !== undefined) {
    const { resources } = await request(connection, "resources/list", {});
    for (const { uri } of objects(resources)) await request(connection, "resources/read", { uri });
  }
  if (capabilities["prompts"] !== undefined) {
    const { prompts } = await request(connection, "prompts/list", {});
    for (const { name } of objects(prompts)) await request(connection, "prompts/get", { name });
  }
}

/** Reads each file of each skill, one by one; what is not what its entry announces is refused, and the next is wanted. */
async function readAllSkills(connection: Connection): Promise<void> {
  const shelf = new SkillShelf({ connection, isOn: true, onDidChange: () => undefined });
  const listing = await listSkills(connection);
  shelf.adopt({ kind: "listed", ...listing });
  for (const { uri, files } of listing.items) {
    for (const file of files) {
      await shelf.read({ skill: uri, file: file.uri }, nextCall()).catch((error: unknown) => {
        if (!(error instanceof EngineError && SKILL_REFUSALS.has(error.code))) throw error;
        process.stderr.write(`${errorText(error)}\n`);
      });
    }
  }
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

/** What a person would do in each scenario; in those that are not here, `callAll`. */
export const SCENARIOS: Readonly<
  Record<string, (connection: Connection, context: JsonObject) => Promise<void>>
> = {
  initialize: async (connection) => {
    await connection.listTools();
  },
  tools_call: async (connection) => {
    await connection.listTools();
    await callTool(connection, "add_numbers", { a: 5, b: 3 });
  },
  "request-metadata": async (connection) => {
    await connection.listTools();
  },
  "json-schema-ref-no-deref": async (connection) => {
    await connection.listTools();
  },
  "json-schema-2020-12-preservation": async (connection) => {
    const { tools } = await connection.listTools();
    const tool = tools.find((item) => item.name === "json_schema_2020_12_tool");
    await callTool(connection, "json_schema_echo", { schema: tool?.inputSchema ?? null });
  },
  "http-custom-headers": async (connection, context) => {
    await connection.listTools();
    for (const call of objects(context["toolCalls"])) {
      const args = call["arguments"];
      await callTool(connection, text(call["name"]), isJsonObject(args) ? args : {});
    }
  },
  "http-standard-headers": visitAll,
  "sep-2640-client-no-prefetch": async (connection) => {
    await listSkills(connection);
  },
  "sep-2640-client-verify-digest": readAllSkills,
  "sep-2640-client-verify-size": readAllSkills,
  "sep-2640-client-verify-frontmatter": readAllSkills,
};
