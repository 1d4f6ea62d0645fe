import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareFixtures } from "../../../scripts/lib/inEditor.mjs";
import { packageExtension } from "../../../scripts/lib/vsix.mjs";

let packaged: Promise<Packages> | undefined;

/** What the tests install, as files: the extension as it is published, and the model that says what a test wants. */
export interface Packages {
  readonly signalbox: string;
  readonly model: string;
}

/** Packages both once for all suites of a run. */
export function packageAll(): Promise<Packages> {
  packaged ??= make();
  return packaged;
}

/** An empty folder for a window to open. The second function deletes it. */
export async function makeWorkspace(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-e2e-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function make(): Promise<Packages> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-vsix-"));
  process.once("exit", () => void rm(folder, { recursive: true, force: true }));
  await mkdir(folder, { recursive: true });
  const fixtures = await prepareFixtures();
  const modelFolder = fixtures.find((each) => each.endsWith("scripted-model"));
  if (modelFolder === undefined) throw new Error("There is no scripted model in test/vscode/fixtures.");
  const signalbox = join(folder, "signalbox.vsix");
  const model = join(folder, "scripted-model.vsix");
  await packageExtension(signalbox);
  await packageExtension(model, modelFolder);
  return { signalbox, model };
}
