import * as vscode from "vscode";
import type { SignInWish, SignOutOutcome } from "../../auth/model/authSession.ts";
import type { AuthStatus } from "../../auth/model/authStatus.ts";
import { isScopeToken } from "../../auth/scopes/scopeTokens.ts";
import type { ServerEntry, ServerPool } from "../../client/serverPool.ts";
import { needsPerson, scopeWords } from "../auth/authWords.ts";
import type { SignInDesk } from "../auth/signInDesk.ts";
import { withSignInProgress } from "../auth/signInProgress.ts";
import { PLAIN, UnderWay } from "../auth/underWay.ts";
import { askText } from "../quickInput/ask.ts";
import { reportProblem } from "../report.ts";
import { withoutLinks } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import { translate } from "../wording.ts";
import { chooseServer, type ServerChoice } from "./chooseServer.ts";
import type { Handlers } from "./table.ts";

type SignInCommand =
  | "signalbox.signIn"
  | "signalbox.signInWithScopes"
  | "signalbox.signInWithNewRegistration"
  | "signalbox.signInWithAnotherAccount"
  | "signalbox.signInWithMoreScopes"
  | "signalbox.signOut";

type Work = (pool: ServerPool, id: string, signal: AbortSignal) => Promise<void>;

type Act = (id: string, way: string, work: Work) => Promise<AuthStatus | undefined>;

/** Signs in once however often it is asked for in the same way, and says what came of it. */
function createAct(services: HostServices, desk: SignInDesk): Act {
  const underWay = new UnderWay(() => new vscode.CancellationError());
  return async (id, way, work) => {
    const begin = (signal: AbortSignal): Promise<void> =>
      withSignInProgress(desk, id, (cancelled) =>
        work(services.pool, id, AbortSignal.any([signal, cancelled])),
      );
    const isInBrowser = desk.waiting.some(
      ({ serverName, address }) => serverName === id && address !== undefined,
    );
    const { run, isFirst } = await underWay.join(id, way, begin, isInBrowser);
    try {
      await run;
      if (isFirst) tellSignedIn(services.pool, id);
    } catch (problem) {
      // Not awaited: a notification may stay open for as long as it likes.
      if (isFirst) void reportProblem(services, problem, id);
    }
    return services.pool.get(id)?.authorization;
  };
}

/** The ways to sign in to a server, and the one out. */
export function signInCommands(services: HostServices, desk: SignInDesk): Handlers<SignInCommand> {
  const act = createAct(services, desk);

  const plain =
    (choice: () => ServerChoice, way: string, work: Work) =>
    async (server?: unknown): Promise<AuthStatus | undefined> => {
      const entry = await chooseServer(services, server, choice());
      return entry === undefined ? undefined : act(entry.id, way, work);
    };

  return {
    "signalbox.signIn": plain(anySignIn, PLAIN, withWish({})),
    "signalbox.signInWithNewRegistration": plain(
      anySignIn,
      "new registration",
      withWish({ newRegistration: true }),
    ),
    "signalbox.signInWithAnotherAccount": plain(
      anySignIn,
      "another account",
      withWish({ otherAccount: true }),
    ),
    "signalbox.signInWithMoreScopes": plain(moreScopes, "more scopes", (pool, id, signal) =>
      pool.stepUp(id, signal),
    ),

    async "signalbox.signInWithScopes"(server, scopes) {
      const entry = await chooseServer(services, server, anySignIn());
      if (entry === undefined) return undefined;
      const asked = scopes ?? (await askScopes(services.pool, entry.id));
      return asked === undefined
        ? undefined
        : act(entry.id, `scopes ${asked.join(" ")}`, withWish({ scopes: asked }));
    },

    async "signalbox.signOut"(server) {
      const entry = await chooseServer(services, server, anySignOut());
      if (entry === undefined) return undefined;
      const title = vscode.l10n.t("Signing out of “{server}”…", { server: entry.id });
      const outcome = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title },
        () => services.pool.signOut(entry.id),
      );
      tellSignedOut(entry.id, outcome);
      return outcome;
    },
  };
}

const withWish =
  (wish: SignInWish): Work =>
  (pool, id, signal) =>
    pool.signIn(id, wish, signal);

const anySignIn = (): ServerChoice => ({
  title: vscode.l10n.t("Sign In to a Server"),
  fits: canSignIn,
  nothing: vscode.l10n.t(
    "No server can be signed in to: each is a process, is disabled, or has a credential in its settings.",
  ),
});

const moreScopes = (): ServerChoice => ({
  title: vscode.l10n.t("Give a Server More Permission"),
  fits: ({ authorization }) => authorization?.kind === "needs-scopes",
  nothing: vscode.l10n.t("No server has asked for more permission."),
});

const anySignOut = (): ServerChoice => ({
  title: vscode.l10n.t("Sign Out of a Server"),
  fits: ({ authorization }) => authorization?.kind === "signed-in" || needsPerson(authorization),
  nothing: vscode.l10n.t("You are signed in to no server."),
});

/** True for a server that a browser can sign in to. */
function canSignIn({ config, state, authorization }: ServerEntry): boolean {
  return (
    config?.type === "http" &&
    state.kind !== "disabled" &&
    authorization !== undefined &&
    authorization.kind !== "external"
  );
}

/** Asks for scopes, beginning with those of last time. An empty text is an answer: it asks for none. */
async function askScopes(pool: ServerPool, id: string): Promise<readonly string[] | undefined> {
  const before = pool.authReport(id)?.authorization?.requestedScopes ?? [];
  const text = await askText({
    title: vscode.l10n.t("Sign in to “{server}”", { server: id }),
    prompt: vscode.l10n.t(
      "Scopes for this sign-in, with blanks between them. Leave it empty to ask for none.",
    ),
    placeholder: "files:read files:write",
    value: before.join(" "),
    validate: (value) =>
      splitScopes(value).every(isScopeToken)
        ? undefined
        : vscode.l10n.t(
            "A scope has only letters, digits and signs of ASCII, and no quotation mark or backslash.",
          ),
  });
  return typeof text === "string" ? splitScopes(text) : undefined;
}

function splitScopes(text: string): readonly string[] {
  return [...new Set(text.split(/\s+/).filter((scope) => scope !== ""))];
}

/** Says that it worked, and what the authorization server did not grant of what was asked for. */
function tellSignedIn(pool: ServerPool, id: string): void {
  const found = pool.authReport(id)?.authorization;
  // That scope is about a refresh token alone, and many servers do not count it among what they granted.
  const missing =
    found?.requestedScopes.filter(
      (scope) => scope !== "offline_access" && !found.grantedScopes.includes(scope),
    ) ?? [];
  const words =
    missing.length === 0
      ? vscode.l10n.t("You are signed in to “{server}”.", { server: id })
      : vscode.l10n.t("You are signed in to “{server}”, without these scopes that were asked for: {scopes}", {
          server: id,
          scopes: scopeWords(missing, translate),
        });
  void vscode.window.showInformationMessage(withoutLinks(words));
}

function tellSignedOut(id: string, outcome: SignOutOutcome): void {
  const server = withoutLinks(id);
  switch (outcome.kind) {
    case "revoked":
      void vscode.window.showInformationMessage(
        vscode.l10n.t("You are signed out of “{server}”, and its tokens are revoked.", { server }),
      );
      return;
    case "not-supported":
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          "You are signed out of “{server}” here. Its authorization server cannot revoke tokens; they end by themselves.",
          { server },
        ),
      );
      return;
    case "nothing":
      void vscode.window.showInformationMessage(
        vscode.l10n.t("There was no sign-in to “{server}” to end.", { server }),
      );
      return;
    case "failed":
      void vscode.window.showWarningMessage(
        vscode.l10n.t("You are signed out of “{server}” here. Its tokens could not be revoked: {reason}", {
          server,
          reason: withoutLinks(outcome.reason),
        }),
      );
  }
}
