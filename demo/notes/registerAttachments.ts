import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createCanvas, encodePng, fillRectangle, type Colour } from "../pngImage.ts";
import { encodeChime } from "./chimeSound.ts";

/** A tool that returns one content block of each kind, to see how they are shown. */
export function registerAttachments(server: McpServer): void {
  server.registerTool(
    "show_attachments",
    {
      title: "Show attachments",
      description: "Returns a text, an image, a sound, a link to a resource and an embedded resource.",
      inputSchema: {},
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => ({
      content: [
        {
          type: "text",
          text: "One attachment of each kind:",
          annotations: { audience: ["user"], priority: 0.5 },
        },
        { type: "image", mimeType: "image/png", data: drawLabel().toString("base64") },
        { type: "audio", mimeType: "audio/wav", data: encodeChime().toString("base64") },
        {
          type: "resource_link",
          uri: "notes://notes/1",
          name: "note-1",
          title: "The first note",
          description: "A link that can be read with resources/read",
          mimeType: "text/markdown",
        },
        {
          type: "resource",
          resource: {
            uri: "notes://style",
            mimeType: "text/markdown",
            text: "# Style\n\nShort sentences.\n",
          },
        },
      ],
    }),
  );
}

const YELLOW: Colour = [255, 226, 112];
const INK: Colour = [70, 70, 70];
const WIDTH = 160;
const HEIGHT = 120;

function drawLabel(): Buffer {
  const canvas = createCanvas(WIDTH, HEIGHT, YELLOW);
  for (const [line, width] of [120, 104, 112, 64].entries()) {
    fillRectangle(canvas, 20, 26 + line * 20, width, 4, INK);
  }
  return encodePng(canvas);
}
