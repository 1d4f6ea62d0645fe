import { setTimeout as delay } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { Note, NoteStore } from "./noteStore.ts";

const noteSchema = z.object({
  id: z.number().int(),
  title: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  archived: z.boolean(),
});
const notesOutput = { notes: z.array(noteSchema) };

/** Longer than a person takes to read one question. */
const QUESTION_LIMIT_MS = 600_000;

/** The tools that work on the notes themselves. */
export function registerNoteTools(server: McpServer, store: NoteStore): void {
  registerReading(server, store);
  server.registerTool(
    "add_note",
    {
      title: "Add note",
      description: "Adds a note.",
      inputSchema: {
        title: z.string().min(1).max(120).describe("Title"),
        text: z.string().default("").describe("Text"),
        tags: z.array(z.string().min(1)).max(10).default([]).describe("Tags"),
      },
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    ({ title, text, tags }) => {
      const note = store.add(title, text, tags);
      server.sendResourceListChanged();
      return textResult(`Added note ${String(note.id)}: ${note.title}`);
    },
  );
  registerDeleteNote(server, store);
  registerArchiveNotes(server, store);
}

function registerReading(server: McpServer, store: NoteStore): void {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  server.registerTool(
    "list_notes",
    {
      title: "List notes",
      description: "Lists all notes.",
      inputSchema: {},
      outputSchema: notesOutput,
      annotations,
    },
    () => describeNotes(store.all()),
  );
  server.registerTool(
    "find_notes",
    {
      title: "Find notes",
      description: "Finds notes by words in title, text or tags.",
      inputSchema: { query: z.string().min(1).describe("What to look for") },
      outputSchema: notesOutput,
      annotations,
    },
    ({ query }) => describeNotes(store.find(query)),
  );
}

function registerDeleteNote(server: McpServer, store: NoteStore): void {
  server.registerTool(
    "delete_note",
    {
      title: "Delete note",
      description: "Deletes a note, after asking.",
      inputSchema: { id: z.number().int().min(1).describe("Number of the note") },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ id }, { signal, requestId }) => {
      const note = store.get(id);
      if (note === undefined) return failedResult(`There is no note ${String(id)}.`);
      const answer = await server.server.elicitInput(
        {
          message: `Delete note ${String(id)}, “${note.title}”, for good?`,
          requestedSchema: {
            type: "object",
            properties: {
              confirm: { type: "boolean", title: "Delete it", default: false },
              reason: {
                type: "string",
                title: "Reason",
                enum: ["outdated", "duplicate", "other"],
                enumNames: ["Out of date", "There is another one", "Something else"],
                default: "outdated",
              },
            },
            required: ["confirm"],
          },
        },
        { signal, relatedRequestId: requestId, timeout: QUESTION_LIMIT_MS },
      );
      if (answer.action === "decline") return textResult("You declined. The note is still there.");
      if (answer.action === "cancel") return textResult("You cancelled. The note is still there.");
      if (answer.content?.["confirm"] !== true) return textResult("Not confirmed. The note is still there.");
      store.remove(id);
      server.sendResourceListChanged();
      return textResult(`Deleted note ${String(id)}.`);
    },
  );
}

function registerArchiveNotes(server: McpServer, store: NoteStore): void {
  server.registerTool(
    "archive_notes",
    {
      title: "Archive notes",
      description: "Archives all notes one by one, with progress. Can be cancelled.",
      inputSchema: {
        delayMs: z
          .number()
          .int()
          .min(0)
          .max(60_000)
          .default(500)
          .describe("Time for each note in milliseconds"),
      },
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    async ({ delayMs }, { signal, sendNotification, _meta }) => {
      const notes = store.all();
      const progressToken = _meta?.progressToken;
      for (const [index, note] of notes.entries()) {
        await delay(delayMs, undefined, { signal });
        note.archived = true;
        if (progressToken === undefined) continue;
        await sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress: index + 1, total: notes.length, message: note.title },
        });
      }
      return textResult(`Archived ${String(notes.length)} notes.`);
    },
  );
}

function describeNotes(notes: readonly Note[]): CallToolResult {
  const lines = notes.map(
    ({ id, title, tags }) => `${String(id)}. ${title}${tags.map((tag) => ` #${tag}`).join("")}`,
  );
  return {
    content: [{ type: "text", text: lines.length === 0 ? "No notes." : lines.join("\n") }],
    structuredContent: { notes },
  };
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function failedResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
