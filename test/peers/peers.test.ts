import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import type { CallOutcome } from "../../src/client/serverPool.ts";
import type { ToolResult } from "../../src/protocol/model/tool.ts";
import type { AnyRevision } from "../../src/protocol/model/revision.ts";
import { childrenOf, isAlive } from "../scenario/demo/demoProcess.ts";
import { createPeerPool, createPerson, peerScript, stdioPeer, textOf } from "./peerPool.ts";

/** A server that others wrote, and what it was measured to be. */
interface Peer {
  readonly name: string;
  readonly command: string;
  readonly args?: (folder: string) => readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  readonly revision: AnyRevision;
  readonly tools: number;
  /** A call that works without a network and without anything installed. */
  readonly call: readonly [tool: string, args: (folder: string) => JsonObject];
  readonly check: (outcome: CallOutcome<ToolResult>) => void;
}

const PEERS: readonly Peer[] = [
  {
    name: "server-everything",
    command: "mcp-server-everything",
    revision: "2025-11-25",
    // With input offered; three of them appear only after the handshake.
    tools: 15,
    call: ["echo", () => ({ message: "hello" })],
    check: (outcome) => {
      assert.equal(textOf(outcome), "Echo: hello");
    },
  },
  {
    name: "server-filesystem",
    command: "mcp-server-filesystem",
    args: (folder) => [folder],
    revision: "2025-11-25",
    tools: 14,
    call: ["read_text_file", (folder) => ({ path: path.join(folder, "note.txt") })],
    check: (outcome) => {
      assert.equal(textOf(outcome), "déjà vu 读 🎉\n");
      assert.equal(outcome.result.structuredCheck.kind, "valid");
    },
  },
  {
    name: "server-memory",
    command: "mcp-server-memory",
    env: (folder) => ({ MEMORY_FILE_PATH: path.join(folder, "memory.jsonl") }),
    revision: "2025-11-25",
    tools: 9,
    call: [
      "create_entities",
      () => ({
        entities: [{ name: "Signalbox", entityType: "extension", observations: ["speaks two eras"] }],
      }),
    ],
    check: (outcome) => {
      assert.match(textOf(outcome), /speaks two eras/);
      assert.equal(outcome.result.structuredCheck.kind, "valid");
    },
  },
  {
    name: "context7-mcp",
    command: "context7-mcp",
    revision: "2026-07-28",
    tools: 2,
    // Without a network this is a text that says so, which is what a person would get to see.
    call: ["resolve-library-id", () => ({ query: "routing", libraryName: "express" })],
    check: (outcome) => {
      assert.notEqual(textOf(outcome), "");
    },
  },
  {
    name: "mongodb-mcp-server",
    command: "mongodb-mcp-server",
    env: () => ({ MDB_MCP_TELEMETRY: "disabled" }),
    revision: "2026-07-28",
    tools: 27,
    call: ["list-connections", () => ({})],
    check: (outcome) => {
      assert.match(textOf(outcome), /no active connections/);
      assert.equal(outcome.result.structuredCheck.kind, "valid");
    },
  },
  {
    name: "agent-device",
    command: "agent-device",
    args: () => ["mcp"],
    revision: "2026-07-28",
    tools: 57,
    call: ["help", () => ({})],
    check: (outcome) => {
      assert.match(textOf(outcome), /agent-device/);
    },
  },
];

const FLOOD_LINES = 4096;
/** Writes four megabytes to standard error before the server itself is loaded: whoever does not drain it hangs. */
const FLOOD = `data:text/javascript,import{writeSync}from"node:fs";const line="flood ".repeat(170)+"\\n";for(let i=0;i<${String(FLOOD_LINES)};i++){let rest=Buffer.from(line);while(rest.length>0){try{rest=rest.subarray(writeSync(2,rest))}catch(error){if(error.code!=="EAGAIN")throw error}}}`;

describe("peers over stdio", function () {
  this.timeout(90_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "signalbox-peers-"));
    writeFileSync(path.join(folder, "note.txt"), "déjà vu 读 🎉\n");
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  for (const peer of PEERS) {
    it(`${peer.name}: ${peer.revision}, ${String(peer.tools)} tools, a call, a clean end`, async () => {
      const args = ["--import", encodeURI(FLOOD), peerScript(peer.command), ...(peer.args?.(folder) ?? [])];
      const env = { HOME: folder, ...peer.env?.(folder) };
      const person = createPerson(() => ({ action: "cancel" }));
      const { pool, connect, until, call, log } = createPeerPool(stdioPeer(args, env), person);
      try {
        const { negotiation } = await connect();
        const processes = childrenOf(process.pid);
        assert.ok(processes.length > 0);
        assert.equal(negotiation.revision, peer.revision);
        assert.ok(negotiation.server !== undefined);
        await until((state) => state.kind === "connected" && state.catalog.tools.length === peer.tools);
        const [tool, makeArgs] = peer.call;
        const outcome = await call(tool, makeArgs(folder));
        assert.equal(outcome.result.isError, false, textOf(outcome));
        peer.check(outcome);
        assert.equal(log.filter((line) => line.includes("flood flood")).length, FLOOD_LINES);
        await pool.close();
        assert.deepEqual(processes.filter(isAlive), []);
        assert.deepEqual(
          processes.filter((pid) => isAlive(-pid)),
          [],
        );
      } catch (error) {
        throw new Error(`${String(error)}\n${log.slice(-20).join("\n")}`, { cause: error });
      } finally {
        await pool.close();
      }
    });
  }
});
