import type * as vscode from "vscode";

const CANARY = "signalbox.oauthCanary";

/** What is known of whether SecretStorage keeps what is stored in it beyond the window. */
export type SecretsVerdict = "last" | "vanish" | "unknown";

interface Canary {
  /** The session of the editor that stored it last. */
  readonly session: string;
}

/**
 * Finds out whether SecretStorage lasts, by a value that an earlier session stored there and that a note in the state
 * of the extension tells of. Stores a new one for the next session. In browsers, SecretStorage may be memory alone.
 *
 * @see https://github.com/microsoft/vscode/issues/317329
 */
export async function readSecretsVerdict(
  { secrets, globalState }: Pick<vscode.ExtensionContext, "secrets" | "globalState">,
  session: string,
): Promise<SecretsVerdict> {
  const before = globalState.get<Canary>(CANARY);
  const found = await secrets.get(CANARY).then(
    (value) => value,
    () => undefined,
  );
  if (before?.session === session) return "unknown";
  const isStored = await secrets.store(CANARY, session).then(
    () => true,
    () => false,
  );
  // Where nothing can be stored, the note makes the next session find nothing.
  await globalState.update(CANARY, { session } satisfies Canary);
  if (!isStored) return "vanish";
  if (before === undefined) return "unknown";
  return found === before.session ? "last" : "vanish";
}
