import * as vscode from "vscode";
import { askText } from "../quickInput/ask.ts";
import type { SignInDesk } from "./signInDesk.ts";

/** Longer than any address that a browser ends on. Characters. */
const MAX_ADDRESS = 16_384;

/**
 * Asks for the address that the browser ended on, and hands it to the sign-in that waits for it. Leaving the question
 * ends nothing: the sign-in waits on, and the command asks again. False when nothing was handed over.
 */
export async function askForAddress(
  desk: SignInDesk,
  serverName: string,
  { signal, wrong }: { readonly signal?: AbortSignal; readonly wrong?: string } = {},
): Promise<boolean> {
  const text = await askText({
    title: vscode.l10n.t("Sign in to “{server}”", { server: serverName }),
    prompt:
      wrong ??
      vscode.l10n.t(
        "If the browser does not come back by itself, paste the whole address that it ended on. It stays secret.",
      ),
    placeholder: "http://127.0.0.1:…/…?code=…&state=…",
    // It holds the code that the token is given for.
    password: true,
    ...(signal === undefined ? {} : { signal }),
    validate: (value) => problemOf(value),
  });
  return typeof text === "string" && desk.paste(serverName, text.trim());
}

/** Only what is no address at all is refused here: whether it is the right one is decided by who waits for it. */
function problemOf(value: string): string | undefined {
  const text = value.trim();
  if (text === "") return vscode.l10n.t("Paste the address from the address bar of the browser.");
  // Browsers may hide the scheme, and the part behind the question mark alone will do.
  if (text.length > MAX_ADDRESS || !text.includes("="))
    return vscode.l10n.t(
      "There is no answer in it. Paste the whole address from the address bar of the browser.",
    );
  return undefined;
}
