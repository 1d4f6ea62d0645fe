import { createHash } from "node:crypto";
import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import * as z from "zod";
import { ENGINES, PLANS, REGION_IDS, regionTitle } from "./catalog.ts";

/** The extension by which a server announces skills. @see https://modelcontextprotocol.io/seps/2640-skills-extension */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

const ROOT = "skill://plan-database";
const MARKDOWN = "text/markdown";
const FRONT_MATTER = {
  name: "plan-database",
  description: "Choose engine, region and plan for a workload before a database is created",
};

const FILES: ReadonlyMap<string, string> = new Map([
  [
    `${ROOT}/SKILL.md`,
    `---
name: ${FRONT_MATTER.name}
description: ${FRONT_MATTER.description}
---

# Plan a database

1. Ask what the database is for, how much it holds and where its users are, unless that is known.
2. Read [what there is](references/CHOICES.md) and choose engine, region and plan.
3. Say in three sentences why, then call \`create_database\`. It asks for the region and the price itself.
`,
  ],
  [
    `${ROOT}/references/CHOICES.md`,
    `# What there is

- Engines: ${ENGINES.join(", ")}
- Plans: ${PLANS.join(", ")}
- Regions: ${REGION_IDS.map(regionTitle).join(", ")}
`,
  ],
]);

/** The entry of the skill: every file with the digest and the size of its bytes. */
const ENTRY = {
  uri: `${ROOT}/SKILL.md`,
  frontmatter: FRONT_MATTER,
  resources: [...FILES].map(([uri, text]) => ({
    uri,
    digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
    size: Buffer.byteLength(text),
  })),
};

/** One skill with two files: instructions for a model, which it reads when somebody wants them. */
export function registerSkill(server: McpServer): void {
  for (const [uri, text] of FILES) {
    server.registerResource(
      uri.slice(ROOT.length + 1),
      uri,
      { mimeType: MARKDOWN, size: Buffer.byteLength(text) },
      () => ({ contents: [{ uri, mimeType: MARKDOWN, text }] }),
    );
  }
  const kept = { ttlMs: 60_000, cacheScope: "public" } as const;
  server.server.setRequestHandler("skills/list", { params: z.object({}).loose() }, () => ({
    skills: [ENTRY],
    ...kept,
  }));
  server.server.setRequestHandler("skills/get", { params: z.object({ uri: z.string() }) }, ({ uri }) => {
    if (uri !== ENTRY.uri)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No skill is served at ${uri}`);
    return { skill: ENTRY, ...kept };
  });
}
