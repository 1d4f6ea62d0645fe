import { systemClock } from "./base/clock.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "./base/json.ts";
import { errorText } from "./base/errors.ts";
import { openConnection } from "./client/openConnection.ts";
import type { ResolvedConfig } from "./client/serverConfig.ts";
import { SkillShelf } from "./client/skills/skillShelf.ts";
import type { CallOptions, Connection } from "./protocol/connection.ts";
import { EngineError } from "./protocol/engineError.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "./protocol/limits.ts";
import type { AnyRevision, ProtocolSetting } from "./protocol/model/revision.ts";
import { REVISIONS } from "./protocol/model/revision.ts";
import type { FormField, FormValue, InputHandler, InputResponse } from "./protocol/mrtr/inputRequired.ts";
import { listSkills } from "./protocol/skills/listSkills.ts";
import { SKILL_REFUSALS } from "./protocol/skills/readSkillFile.ts";

/**
 * The client under test of the official conformance suite: the engine and nothing else.
 * The suite appends the server's URL and names the scenario in the environment.
 */
const WATCHDOG_MS = 45_000;

/** Accepts every form with its defaults, as a person would who only presses Submit. */
const acceptDefaults: InputHandler = {
  modes: { form: true, url: false },
  handle(round) {
    const answers = round.requests.map((request): [string, InputResponse] => [
      request.key,
      request.kind === "form"
        ? { action: "accept", content: defaultsOf(request.form.fields) }
        : { action: "cancel" },
    ]);
    return Promise.resolve(new Map(answers));
  },
};

function defaultsOf(fields: readonly FormField[]): Record<string, FormValue> {
  const content: Record<string, FormValue> = {};
  for (const field of fields) {
    const value = field.default ?? (field.required ? filler(field) : undefined);
    if (value !== undefined) content[field.name] = value;
  }
  return content;
}

function filler(field: FormField): FormValue {
  switch (field.kind) {
    case "boolean":
      return true;
    case "number":
      return field.minimum ?? 1;
    case "choice":
      return field.options[0]?.value ?? "";
    case "choices":
      return field.options.slice(0, field.minItems ?? 1).map((option) => option.value);
    case "text":
      return "text";
  }
}

/** Arguments that satisfy the required part of a simple schema. */
function sampleArguments(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.fromEntries(
    required
      .filter((name): name is string => typeof name === "string")
      .map((name) => [name, sample(properties[name])]),
  );
}

function sample(schema: JsonValue | undefined): JsonValue {
  switch (isJsonObject(schema) ? schema["type"] : undefined) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    case "null":
      return null;
    default:
      return "text";
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

let calls = 0;

function nextCall(): CallOptions {
  calls += 1;
  return { callId: `call-${String(calls)}`, input: acceptDefaults };
}

async function callTool(connection: Connection, name: string, args: JsonObject): Promise<void> {
  await connection.callTool(name, args, nextCall());
}

async function request(connection: Connection, method: string, params: JsonObject): Promise<JsonObject> {
  return (await connection.request(method, params, nextCall())).result;
}

async function callAll(connection: Connection): Promise<void> {
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

const scenarios: Readonly<Record<string, (connection: Connection, context: JsonObject) => Promise<void>>> = {
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

async function run(url: string): Promise<void> {
  const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
  const revision = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "";
  const context: unknown = parseJson(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
  const connection = await openConnection({
    config: toConfig(url, revision),
    clientInfo: { name: "signalbox", title: "Signalbox", version: "0.1.0" },
    input: acceptDefaults,
    log: { write: (level, text) => process.stderr.write(`${level}: ${text}\n`) },
    clock: systemClock,
    signal: new AbortController().signal,
    remembered: undefined,
    newCallId: () => "unrelated",
  });
  try {
    await (scenarios[scenario] ?? callAll)(connection, isJsonObject(context) ? context : {});
  } finally {
    await connection.close();
  }
}

/** The revision of the run is negotiated, not pinned; a legacy run starts with that legacy revision. */
function toConfig(url: string, revision: string): ResolvedConfig {
  const known = REVISIONS.find((item) => item === revision);
  const protocol: ProtocolSetting = known === undefined ? "legacy" : known === "2026-07-28" ? "auto" : known;
  const minimumProtocol: AnyRevision = known ?? "2025-03-26";
  return {
    id: "conformance",
    source: "file",
    enabled: true,
    autostart: false,
    chat: false,
    cache: false,
    skills: true,
    protocol,
    minimumProtocol,
    timeouts: DEFAULT_TIMEOUTS,
    limits: DEFAULT_LIMITS,
    type: "http",
    url,
    headers: {},
    secrets: [],
  };
}

const watchdog = setTimeout(() => {
  process.stderr.write("The scenario took too long.\n");
  process.exit(97);
}, WATCHDOG_MS);

run(process.argv[2] ?? "").then(
  () => {
    clearTimeout(watchdog);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? errorText(error)) : String(error)}\n`);
    process.exit(1);
  },
);
