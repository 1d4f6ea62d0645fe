import type * as vscode from "vscode";
import type { Implementation } from "../protocol/model/server.ts";

/** How Signalbox names itself to servers. The version is that of the installed extension. */
export function readClientInfo(context: vscode.ExtensionContext): Implementation {
  const manifest: unknown = context.extension.packageJSON;
  const version =
    typeof manifest === "object" && manifest !== null && "version" in manifest
      ? String(manifest.version)
      : "0.0.0";
  return { name: "signalbox", title: "Signalbox", version };
}
