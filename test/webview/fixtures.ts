import type { JsonObject } from "../../src/base/json.ts";
import type { ElicitationForm, FormField } from "../../src/protocol/mrtr/inputRequired.ts";
import type { InputRoundView, InputView } from "../../src/shared/inputMessages.ts";
import type { ToolResultView, ToolRunStatus, ToolRunView } from "../../src/shared/toolRunMessages.ts";

/** A one pixel PNG. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Text that would run if anything drew it as markup. */
export const HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><b>bold</b>';

export const databaseSchema: JsonObject = {
  type: "object",
  required: ["name", "engine", "replicas"],
  additionalProperties: false,
  properties: {
    name: {
      type: "string",
      title: "Database name",
      description: "Letters, digits and dashes.",
      pattern: "^[a-z][a-z0-9-]*$",
      maxLength: 40,
    },
    engine: {
      title: "Engine",
      oneOf: [
        { const: "pg", title: "PostgreSQL 17", description: "The usual choice." },
        { const: "my", title: "MySQL 9" },
      ],
    },
    replicas: { type: "integer", minimum: 1, maximum: 9, default: 3, title: "Replicas" },
    encrypted: { type: "boolean", description: "Encrypt at rest." },
    note: { type: ["string", "null"], title: "Note" },
    tags: { type: "array", title: "Tags", items: { type: "string" }, maxItems: 5 },
    network: {
      type: "object",
      title: "Network",
      properties: { cidr: { type: "string", examples: ["10.0.0.0/16"] }, public: { type: "boolean" } },
      required: ["cidr"],
    },
    backup: {
      title: "Backup",
      oneOf: [
        { title: "None", type: "object", properties: { kind: { const: "none" } }, required: ["kind"] },
        {
          title: "Schedule",
          type: "object",
          properties: { kind: { const: "schedule" }, hour: { type: "integer", minimum: 0, maximum: 23 } },
          required: ["kind", "hour"],
        },
      ],
    },
    labels: { type: "object", title: "Labels", additionalProperties: { type: "string" } },
  },
};

export function toolRunView(
  change: Partial<ToolRunView> = {},
  schema: JsonObject = databaseSchema,
): ToolRunView {
  return {
    serverId: "cloud-demo",
    protocol: "Modern 2026-07-28",
    tool: {
      name: "create_database",
      displayName: "Create Database",
      description:
        "Creates a managed database cluster.\n\nAsks for a region, then to confirm the monthly price, before anything is created.",
      inputSchema: schema,
      claims: ["claims to change data", "claims to reach the outside world"],
    },
    initialArguments: {},
    canRun: true,
    run: { kind: "idle" },
    wanted: [],
    ...change,
  };
}

export function doneRun(change: Partial<ToolResultView> = {}): ToolRunStatus {
  return {
    kind: "done",
    result: {
      isError: false,
      durationMs: 3_240,
      rounds: 2,
      blocks: [{ type: "text", text: "Created." }],
      raw: { content: [] },
      ...change,
    },
  };
}

export const richResult: Partial<ToolResultView> = {
  blocks: [
    { type: "text", text: "Cluster orders-db is ready.\nConnect with psql." },
    { type: "text", text: '{"id":"db-1","nodes":["a","b"]}' },
    { type: "image", data: PNG, mimeType: "image/png" },
    { type: "image", data: PNG, mimeType: "image/svg+xml" },
    {
      type: "link",
      uri: "https://example.com/console/db-1",
      name: "Console",
      description: "Opens the console.",
    },
    { type: "link", uri: "demo://db-1/log", name: "Log" },
    { type: "resource", uri: "demo://db-1/config", mimeType: "text/plain", text: "max_connections = 100" },
    { type: "resource", uri: "demo://db-1/dump", mimeType: "application/octet-stream", blobBytes: 20_480 },
    { type: "unknown", name: "hologram", raw: { type: "hologram", beams: 3 } },
  ],
  structured: {
    value: {
      id: "db-1",
      name: "orders-db",
      region: "eu-central",
      nodes: [
        { host: "a", ready: true },
        { host: "b", ready: false },
      ],
      price: 42.5,
      note: null,
    },
    check: { kind: "valid" },
  },
  raw: { resultType: "complete", content: [{ type: "text", text: "Cluster orders-db is ready." }] },
};

export function form(...fields: readonly FormField[]): ElicitationForm {
  return { fields, schema: { type: "object", properties: {} } };
}

export const regionForm = form(
  {
    kind: "choice",
    name: "region",
    title: "Region",
    description: "Where the data is stored.",
    required: true,
    options: [
      { value: "eu-central", title: "Frankfurt" },
      { value: "us-east", title: "Virginia" },
      { value: "ap-south", title: "Mumbai" },
    ],
  },
  { kind: "text", name: "contact", title: "Contact", required: true, format: "email" },
  {
    kind: "number",
    name: "nodes",
    title: "Nodes",
    required: false,
    integer: true,
    minimum: 1,
    maximum: 9,
    default: 3,
  },
  {
    kind: "boolean",
    name: "terms",
    title: "I accept the terms",
    description: "Billing starts at once.",
    required: true,
  },
  { kind: "text", name: "start", title: "Start", required: false, format: "date-time" },
  {
    kind: "text",
    name: "day",
    title: "Maintenance day",
    required: false,
    format: "date",
    default: "2026-12-24",
  },
  {
    kind: "choices",
    name: "extras",
    title: "Extras",
    required: false,
    minItems: 1,
    maxItems: 2,
    options: [
      { value: "backup", title: "Backups" },
      { value: "monitor", title: "Monitoring" },
      { value: "support", title: "Support" },
    ],
  },
  {
    kind: "choice",
    name: "size",
    title: "Size",
    required: false,
    options: ["XS", "S", "M", "L", "XL", "XXL"].map((value) => ({ value, title: value })),
  },
);

export function inputView(change: Partial<InputRoundView> = {}, waiting = 1): InputView {
  return {
    waiting,
    current: {
      roundId: "round-1",
      serverId: "cloud-demo",
      targetKind: "tool",
      target: "create_database",
      why: "The tool create_database was run from the Tool Run panel and needs more information.",
      round: 1,
      maxRounds: 10,
      history: [],
      requests: [
        {
          kind: "form",
          key: "region",
          message: "Which region should the cluster run in?",
          form: regionForm,
          warnings: [],
        },
      ],
      ...change,
    },
  };
}

export const urlRequest = {
  kind: "url" as const,
  key: "sign",
  message: "Please sign the contract.",
  url: {
    before: "https://",
    host: "xn--pple-43d.example",
    after: "/sign?contract=42&return=https%3A%2F%2Fexample.com",
  },
  warnings: ["The host is written in Punycode; it may look like another name: аpple.example"],
  canOpen: true,
};
