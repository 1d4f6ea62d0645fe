import { ROOT, fromRoot } from "./paths.mjs";
import { runOrThrow } from "./processes.mjs";
import { ensureNode24 } from "./provision.mjs";

/** Packages the extension of a folder, this project's own when none is given. Answers the notes of the packager. */
export async function packageExtension(file, folder = ROOT) {
  const vsce = fromRoot("node_modules", "@vscode", "vsce", "vsce");
  const output = await runOrThrow(
    await ensureNode24(),
    // Everything is in the bundles, so the packages they were made of stay out.
    [
      vsce,
      ...["package", "--no-dependencies", "--out", file],
      ...(folder === ROOT
        ? ["--allow-unused-files-pattern"]
        : ["--allow-missing-repository", "--skip-license"]),
    ],
    { cwd: folder },
  );
  return output.split("\n").filter((line) => /WARNING|ERROR/.test(line));
}
