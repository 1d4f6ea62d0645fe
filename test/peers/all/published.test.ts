import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Emitter } from "../../../src/base/emitter.ts";
import type { StdioConfig } from "../../../src/client/serverConfig.ts";
import { schemaForModel } from "../../../src/host/chat/schemaForModel.ts";
import { DEFAULT_LIMITS } from "../../../src/protocol/limits.ts";
import { eraOf } from "../../../src/protocol/model/revision.ts";
import type { Tool } from "../../../src/protocol/model/tool.ts";
import type { ClientFeatures } from "../../../src/protocol/mrtr/clientFeatures.ts";
import { prepareSchema } from "../../../src/protocol/schema/prepareSchema.ts";
import { FormPlanner } from "../../../src/shared/schemaForm/planSchema.ts";
import { childrenOf, isAlive } from "../../scenario/demo/demoProcess.ts";
import { createPeerPool, createPerson, type PeerPool, peerScript, stdioPeer } from "../peerPool.ts";
import { checkCall, PUBLISHED, type Published } from "./publishedServers.ts";

const nobody = createPerson(() => ({ action: "cancel" }));

/** What of a tool could not be shown as a form, checked, or handed to a model. */
function troubleWith({ name, inputSchema, outputSchema }: Tool): string[] {
  const trouble: string[] = [];
  if (new FormPlanner(inputSchema).planRoot().kind === "raw") trouble.push(`${name} has no form`);
  for (const schema of [inputSchema, outputSchema]) {
    if (schema === undefined) continue;
    const prepared = prepareSchema(schema, DEFAULT_LIMITS);
    if (prepared.kind === "unusable") trouble.push(`${name}: ${prepared.reason.message}`);
    else if (prepared.check({}).kind === "unchecked") trouble.push(`${name} took too long to check`);
  }
  schemaForModel(inputSchema);
  return trouble;
}

/** Servers that others published, as they come from the registry: for a night, and for each new version of ours. */
describe("published servers", function () {
  this.timeout(90_000);
  let folder: string;
  let pools: PeerPool[] = [];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "signalbox-published-"));
    writeFileSync(path.join(folder, "note.txt"), "déjà vu\n");
  });

  afterEach(async () => {
    await Promise.all(pools.map(({ pool }) => pool.close()));
    pools = [];
    rmSync(folder, { recursive: true, force: true });
  });

  function open(
    { command, place, args = [], env = {} }: Pick<Published, "command" | "place" | "args" | "env">,
    settings: Partial<StdioConfig> = {},
    features?: ClientFeatures,
  ): PeerPool {
    const config = stdioPeer([peerScript(command, place), ...args], { HOME: folder, ...env });
    const pool = createPeerPool({ ...config, ...settings }, nobody, features);
    pools.push(pool);
    return pool;
  }

  /** Ends a server: none of its processes may be left, whatever it does about the end of its input. */
  async function end({ pool }: PeerPool): Promise<void> {
    const processes = childrenOf(process.pid);
    assert.ok(processes.length > 0);
    await pool.close();
    assert.deepEqual(
      processes.filter((pid) => isAlive(pid) || isAlive(-pid)),
      [],
    );
  }

  for (const published of PUBLISHED) {
    const { command, revision, tools, odd } = published;
    const isOld = revision < "2025-06-18";
    it(`${command}: ${revision}, ${String(tools)} tools${odd === undefined ? "" : `, ${odd[0]}`}`, async () => {
      const peer = open(published, isOld ? { minimumProtocol: revision } : {});
      const connected = await peer.connect();
      const { negotiation, catalog, listProblem } = connected;
      assert.equal(negotiation.revision, revision);
      assert.equal(negotiation.era, eraOf(revision));
      assert.equal(catalog.tools.length, tools, catalog.tools.map(({ name }) => name).join());
      assert.deepEqual(catalog.rejectedTools, []);
      assert.deepEqual(catalog.warnings, []);
      assert.equal(listProblem === undefined, tools > 0);
      assert.deepEqual(catalog.tools.flatMap(troubleWith), []);
      await peer.until(
        (state) =>
          state.kind === "connected" && Object.values(state.lists).every(({ kind }) => kind !== "unread"),
      );
      await checkCall({ peer, connected }, published, folder);
      await odd?.[1]({ peer, connected });
      await end(peer);
    });

    if (isOld) {
      it(`${command}: refused unless ${revision} is allowed, with the reason and what to do`, async () => {
        const peer = open(published);
        await assert.rejects(peer.connect(), {
          code: "no-common-revision",
          message: new RegExp(`speaks ${revision}; Signalbox speaks .*2025-11-25, 2025-06-18`),
          remedy: /minimumProtocol/,
        });
        assert.equal(peer.state()?.kind, "failed");
      });
    }

    if (published.bothEras === true) {
      it(`${command}: as a legacy server too, with the same tools`, async () => {
        const peer = open(published, { protocol: "2025-11-25" });
        const { negotiation, catalog } = await peer.connect();
        assert.deepEqual([negotiation.era, negotiation.revision], ["legacy", "2025-11-25"]);
        assert.equal(catalog.tools.length, tools);
        await end(peer);
      });
    }
  }

  it("mcp-server-everything: more tools once it knows what it may ask, and an end although it would stay", async () => {
    const changed = new Emitter<void>();
    const features: ClientFeatures = {
      sampling: { tools: true, createMessage: () => Promise.resolve({ kind: "refused" }) },
      roots: {
        list: () => Promise.resolve([{ uri: "file:///work/here", name: "here" }]),
        onDidChange: changed.event,
      },
    };
    const server = { command: "mcp-server-everything", place: ".", args: ["stdio"] } as const;
    const peer = open(server, {}, features);
    await peer.connect();
    const late = ["get-roots-list", "trigger-elicitation-request", "trigger-sampling-request"];
    await peer.until(
      (state) =>
        state.kind === "connected" &&
        late.every((name) => state.catalog.tools.some((tool) => tool.name === name)),
    );
    await end(peer);
    changed.dispose();
  });

  it("desktop-commander: one process and the right era, though it is slower than our patience with a probe", async () => {
    const server = { command: "desktop-commander", place: "./all", args: ["--no-onboarding"] } as const;
    const timeouts = { ...stdioPeer([]).timeouts, hedgeMs: 1 };
    const peer = open(server, { timeouts });
    const { negotiation, catalog } = await peer.connect();
    assert.deepEqual([negotiation.era, negotiation.processes], ["legacy", 1]);
    assert.equal(catalog.tools.length, 26);
    await end(peer);
  });

  it("mcp-server-azuredevops: ends at once where its native module was not built, and says so", async () => {
    const server = { command: "mcp-server-azuredevops", place: "./all", args: ["contoso"] } as const;
    const peer = open(server);
    await assert.rejects(peer.connect(), { code: "process-exited", message: /exit code 1/ });
    assert.ok(peer.log.some((line) => line.includes("keytar")));
  });
});
