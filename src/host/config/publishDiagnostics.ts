import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { locateValue, type TextSpan } from "./jsonLocations.ts";
import type { LayeredProblem } from "./mergeLayers.ts";
import { readSettingsFile, type SettingsFile } from "./settingsFiles.ts";
import type { ConfigWatcher } from "./watchConfig.ts";

/** Shows the problems of the settings where they are: in the settings files, with line and column. */
export function publishDiagnostics(context: vscode.ExtensionContext, config: ConfigWatcher): Disposable {
  const store = new DisposableStore();
  const collection = store.add(vscode.languages.createDiagnosticCollection("signalbox"));
  let generation = 0;

  async function publish(): Promise<void> {
    generation += 1;
    const mine = generation;
    const found = await locateAll(context, config.current.problems);
    // A later state of the settings may have been published while the files were read.
    if (mine !== generation || store.isDisposed) return;
    collection.clear();
    for (const [uri, diagnostics] of found) collection.set(vscode.Uri.parse(uri), diagnostics);
  }

  store.add(config.onDidChange(() => void publish()));
  void publish();
  return store;
}

async function locateAll(
  context: vscode.ExtensionContext,
  problems: readonly LayeredProblem[],
): Promise<ReadonlyMap<string, vscode.Diagnostic[]>> {
  const files = new Map<string, Promise<SettingsFile | undefined>>();
  const found = new Map<string, vscode.Diagnostic[]>();
  for (const { layer, problem } of problems) {
    const place = `${layer.source} ${layer.folder ?? ""}`;
    const reading = files.get(place) ?? readSettingsFile(context, layer);
    files.set(place, reading);
    const file = await reading;
    if (file === undefined) continue;
    const span = locateValue(file.text, [...file.root, problem.serverId, ...problem.path]);
    const diagnostic = new vscode.Diagnostic(
      rangeOf(file.text, span),
      vscode.l10n.t(problem.template, problem.args),
      problem.severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
    );
    diagnostic.source = "Signalbox";
    const uri = file.uri.toString();
    found.set(uri, [...(found.get(uri) ?? []), diagnostic]);
  }
  return found;
}

function rangeOf(text: string, span: TextSpan | undefined): vscode.Range {
  if (span === undefined) return new vscode.Range(0, 0, 0, 0);
  return new vscode.Range(positionAt(text, span.offset), positionAt(text, span.offset + span.length));
}

function positionAt(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}
