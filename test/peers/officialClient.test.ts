import assert from "node:assert/strict";
import { startHttpDemo, type HttpDemo } from "../scenario/demo/demoProcess.ts";
import { demoScript } from "./peerPool.ts";

/** The parts of the official client that are used here; it is installed only beside the peers. */
interface OfficialModule {
  readonly Client: new (info: object, options: object) => OfficialClient;
  readonly StreamableHTTPClientTransport: new (url: URL) => object;
}

interface StdioModule {
  readonly StdioClientTransport: new (options: object) => object;
}

interface OfficialClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  setRequestHandler(method: string, handler: (request: ElicitRequest) => object): void;
  getProtocolEra(): string | undefined;
  listTools(): Promise<{ readonly tools: readonly object[] }>;
  callTool(
    params: object,
  ): Promise<{ readonly content: readonly { readonly type: string; readonly text?: string }[] }>;
  readResource(params: object): Promise<{ readonly contents: readonly { readonly text?: string }[] }>;
  getPrompt(params: object): Promise<{ readonly messages: readonly object[] }>;
}

interface ElicitRequest {
  readonly params: { readonly requestedSchema?: { readonly properties: Readonly<Record<string, unknown>> } };
}

// Through variables, so that the types tier needs nothing but the product's own packages.
const MAIN = "@modelcontextprotocol/client";
const STDIO = "@modelcontextprotocol/client/stdio";

const ERAS = [
  ["modern", "auto"],
  ["legacy", "legacy"],
] as const;

async function createClient(mode: string): Promise<OfficialClient> {
  const { Client } = (await import(MAIN)) as OfficialModule;
  const client = new Client(
    { name: "official", version: "1.0.0" },
    { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    const isRegion = params.requestedSchema?.properties["region"] !== undefined;
    return { action: "accept", content: isRegion ? { region: "eu-north" } : { confirm: true } };
  });
  return client;
}

async function checkDemo(client: OfficialClient, era: string): Promise<void> {
  assert.equal(client.getProtocolEra(), era);
  assert.equal((await client.listTools()).tools.length, 7);
  const created = await client.callTool({
    name: "create_database",
    arguments: { name: "orders", engine: "mysql" },
  });
  assert.match(created.content[0]?.text ?? "", /^Created: mysql database “orders”/);
  const { contents } = await client.readResource({ uri: "demo://databases" });
  assert.match(contents[0]?.text ?? "", /"name": "orders"/);
  const { messages } = await client.getPrompt({ name: "plan_database", arguments: { workload: "a shop" } });
  assert.equal(messages.length, 1);
}

describe("demo with the official client", function () {
  this.timeout(30_000);
  let demo: HttpDemo;

  before(async () => {
    demo = await startHttpDemo();
  });

  after(async () => {
    demo.child.stdin.end();
    assert.equal(await demo.exited(), 0);
  });

  for (const [era, mode] of ERAS) {
    it(`works over stdio, ${era}`, async () => {
      const { StdioClientTransport } = (await import(STDIO)) as StdioModule;
      const client = await createClient(mode);
      const args = ["--disable-warning=ExperimentalWarning", demoScript("main.ts"), "--stdio"];
      await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
      await checkDemo(client, era);
      await client.close();
    });
  }

  it("works over HTTP, modern", async () => {
    const { StreamableHTTPClientTransport } = (await import(MAIN)) as OfficialModule;
    const client = await createClient("auto");
    await client.connect(new StreamableHTTPClientTransport(new URL(demo.url)));
    await checkDemo(client, "modern");
    await client.callTool({ name: "list_databases", arguments: {} });
    await client.close();
  });

  it("works over HTTP, legacy, in a session", async () => {
    const { StreamableHTTPClientTransport } = (await import(MAIN)) as OfficialModule;
    const own = await startHttpDemo();
    const client = await createClient("legacy");
    await client.connect(new StreamableHTTPClientTransport(new URL(own.url)));
    await checkDemo(client, "legacy");
    await client.close();
    own.child.stdin.end();
    assert.equal(await own.exited(), 0);
  });
});
