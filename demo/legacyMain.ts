import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createNoteStore } from "./notes/noteStore.ts";
import { createNotesServer } from "./notes/notesServer.ts";

// A server of the 2025-11-25 revision and nothing newer: the official SDK of that generation, on standard input and output.
const server = createNotesServer(createNoteStore());

function stop(): void {
  void server.close().finally(() => process.exit(0));
}

process.stdin.once("end", stop);
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
await server.connect(new StdioServerTransport());
process.stderr.write("Signalbox demo notes: ready on standard input and output\n");
