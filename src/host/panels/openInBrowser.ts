import * as vscode from "vscode";

/**
 * Opens an address in the system's browser, byte for byte as it was shown; false when it did not open.
 *
 * `env.openExternal` is declared for a Uri, whose text form escapes `=` and `&` inside queries. It takes a string
 * too and then keeps it, which signed links need. @see https://github.com/microsoft/vscode/issues/85930
 */
export async function openInBrowser(url: string): Promise<boolean> {
  return vscode.env.openExternal(url as unknown as vscode.Uri);
}
