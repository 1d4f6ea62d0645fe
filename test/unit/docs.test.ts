import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../src/protocol/limits.ts";

const ROOT = path.resolve(import.meta.dirname, "..", "..");
const FILES = globSync(["*.md", "docs/**/*.md", "scripts/*.md", "test/*/*.md"], { cwd: ROOT }).sort();

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

/** Links of a Markdown text to files of the repository, without those in code. */
function localLinks(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, "").replaceAll(/(`+)[^\n]*?\1(?!`|\])/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The headings of a Markdown text as the anchors that links name. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function brokenLinks(file: string): string[] {
  return localLinks(read(file)).filter((target) => {
    const [name = "", anchor] = target.split("#");
    const linked = name === "" ? file : path.join(path.dirname(file), name);
    if (!existsSync(path.join(ROOT, linked))) return true;
    return anchor !== undefined && !anchors(read(linked)).includes(anchor);
  });
}

/** Rows of the tables in a text whose first cell is code: the name and the cell after it. */
function rows(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name = "", value = ""]) => [
      name,
      value.trim(),
    ]),
  );
}

function showLimit(name: string, value: number): string {
  if (name.endsWith("Ms")) return `${String(value)} ms`;
  if (!name.endsWith("Bytes")) return String(value);
  const mebibytes = value / 1024 / 1024;
  return mebibytes >= 1 ? `${String(mebibytes)} MiB` : `${String(value / 1024)} KiB`;
}

function showTime(ms: number): string {
  const hours = ms / 3_600_000;
  return hours >= 1 ? `${String(hours)} h` : `${String(ms / 1000)} s`;
}

describe("documentation", () => {
  it("links to files and headings that exist", () => {
    const broken = FILES.flatMap((file) => brokenLinks(file).map((target) => `${file}: ${target}`));
    assert.deepEqual(broken, []);
  });

  it("lists every decision in their table of contents", () => {
    const listed = localLinks(read("docs/decisions/README.md")).sort();
    const present = globSync("*.md", { cwd: path.join(ROOT, "docs", "decisions") });
    assert.deepEqual(listed, present.filter((name) => name !== "README.md").sort());
  });

  it("gives the limits of the engine", () => {
    const [, section = ""] = read("docs/architecture.md").split("## Limits");
    const { hedgeMs: _, ...timeouts } = DEFAULT_TIMEOUTS;
    assert.deepEqual(
      Object.fromEntries(rows(section)),
      Object.fromEntries([
        ...Object.entries(DEFAULT_LIMITS).map(([name, value]) => [name, showLimit(name, value)]),
        ...Object.entries(timeouts).map(([name, ms]) => [name.replace(/Ms$/, ""), showTime(ms)]),
      ]),
    );
  });

  it("shows only commands that the scripts have", () => {
    const { scripts } = JSON.parse(read("package.json")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = FILES.flatMap((file) =>
      [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name),
    );
    const unknown = named.filter((name) => !(name in scripts) && name !== "test:TIER" && name !== "test:");
    assert.deepEqual([...new Set(unknown)], []);
  });
});
