import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { NoteStore } from "./noteStore.ts";
import { registerAttachments } from "./registerAttachments.ts";
import { registerNoteTools } from "./registerNoteTools.ts";

/** The address of one note as a resource. */
export function noteUri(id: number | string): string {
  return `notes://notes/${String(id)}`;
}

/** The server of the 2025-11-25 demo: notes of a team. */
export function createNotesServer(store: NoteStore): McpServer {
  const server = new McpServer(
    { name: "signalbox-demo-notes", title: "Team notes (demo)", version: "1.0.0" },
    { instructions: "Notes of a team, in memory. delete_note asks before it deletes." },
  );
  registerNoteTools(server, store);
  registerAttachments(server);
  const template = new ResourceTemplate(noteUri("{id}"), {
    list: () => ({
      resources: store.all().map(({ id, title }) => ({
        uri: noteUri(id),
        name: `note-${String(id)}`,
        title,
        mimeType: "text/markdown",
      })),
    }),
  });
  server.registerResource(
    "note",
    template,
    { title: "One note", mimeType: "text/markdown" },
    (uri, { id }) => {
      const note = store.get(Number(id));
      if (note === undefined) throw new Error(`There is no note ${String(id)}.`);
      return {
        contents: [{ uri: uri.href, mimeType: "text/markdown", text: `# ${note.title}\n\n${note.text}\n` }],
      };
    },
  );
  return server;
}
