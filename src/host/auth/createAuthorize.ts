import { join } from "node:path";
import * as vscode from "vscode";
import type { CredentialLock, CredentialStore } from "../../auth/model/credentialStore.ts";
import { systemClock } from "../../base/clock.ts";
import { routeOf } from "../../client/createTransport.ts";
import type { PoolPorts } from "../../client/serverPool.ts";
import { toAuthSettings } from "../../client/toAuthSettings.ts";
import { readNetworkSettings } from "../config/networkSettings.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import type { HostLog } from "../services.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";
import { chooseStoreKind } from "./chooseCredentialStore.ts";
import { definitionScope } from "./definitionScope.ts";
import { readInstallationId } from "./installationId.ts";
import { createLateStore, type DecidedStores } from "./lateStore.ts";
import { readOauthSettings } from "./oauthSettings.ts";
import { createSecretCredentialStore } from "./secretCredentialStore.ts";
import { readSecretsVerdict } from "./secretsLast.ts";
import type { SignInDesk } from "./signInDesk.ts";
import { createSignInPorts } from "./signInPorts.ts";

/** What authorizations need of the window. */
export interface AuthorizeParts {
  readonly context: vscode.ExtensionContext;
  readonly log: HostLog;
  readonly config: ConfigWatcher;
  readonly documents: InfoDocuments;
  readonly desk: SignInDesk;
}

/** What all authorizations of a window share, made when the first server needs one. */
interface Shared {
  readonly installationId: string;
  readonly store: CredentialStore;
  readonly lock: CredentialLock;
}

/** Makes the authorization of each server that may need one. Nothing is loaded, read or written before the first of them. */
export function createAuthorize(parts: AuthorizeParts): NonNullable<PoolPorts["authorize"]> {
  const { log, config, documents, desk } = parts;
  let shared: Promise<Shared> | undefined;
  return async (resolved) => {
    const settings = toAuthSettings(resolved, readOauthSettings());
    if (settings === undefined || resolved.type !== "http") return undefined;
    const { createAuthSession } = await import("../../auth/session/createAuthSession.ts");
    const { createPinnedNetwork } = await import("../../net/createPinnedNetwork.ts");
    shared ??= createShared(parts).catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
    const serverLog = log.forServer(resolved.id);
    return createAuthSession({
      ...(await shared),
      settings,
      scope: definitionScope(resolved.source, config.current.origins.get(resolved.id), workspaceAddress()),
      network: createPinnedNetwork({
        serverName: resolved.id,
        endpoint: settings.endpoint,
        route: routeOf(resolved),
        network: readNetworkSettings,
        fakeIpRanges: settings.overrides.fakeIpRanges,
        log: serverLog,
      }),
      ports: createSignInPorts({ serverName: resolved.id, overrides: settings.overrides, desk, documents }),
      clock: systemClock,
      log: serverLog,
      onSecret(value) {
        log.addPassingSecret(value);
      },
    });
  };
}

/** The address of the workspace's file or first folder. */
function workspaceAddress(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  return (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() ?? "";
}

async function createShared({ context, log }: AuthorizeParts): Promise<Shared> {
  const { createFileLock } = await import("../../auth/store/fileLock.ts");
  const directory = context.globalStorageUri.fsPath;
  return {
    installationId: readInstallationId(directory, log.main),
    lock: createFileLock({ directory: join(directory, "oauth-locks") }),
    store: createLateStore(() => decideStore(context, log)),
  };
}

async function decideStore(context: vscode.ExtensionContext, log: HostLog): Promise<DecidedStores> {
  const { createFileCredentialStore } = await import("../../auth/store/fileCredentialStore.ts");
  const secrets = createSecretCredentialStore(context.secrets);
  const files = createFileCredentialStore({
    directory: join(context.globalStorageUri.fsPath, "oauth-credentials"),
    log: log.main,
  });
  const { kind, announce } = chooseStoreKind({
    setting: readOauthSettings().credentialStore,
    verdict: await readSecretsVerdict(context, vscode.env.sessionId),
    isWeb: vscode.env.uiKind === vscode.UIKind.Web,
  });
  if (kind === "secret-storage") return { store: secrets, older: files };
  const onKept = (): void => void announceFiles(context);
  return { store: files, older: secrets, ...(announce ? { onKept } : {}) };
}

const ANNOUNCED = "signalbox.oauthFilesAnnounced";

/** Says once that sign-ins are kept in files, because that is weaker than what people expect. */
async function announceFiles({ globalState }: vscode.ExtensionContext): Promise<void> {
  if (globalState.get<boolean>(ANNOUNCED) === true) return;
  await globalState.update(ANNOUNCED, true);
  const open = vscode.l10n.t("Open Settings");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      "The secret storage of this editor may not last beyond the window, so Signalbox keeps your sign-ins in files that only your user can read. The setting “signalbox.oauth.credentialStore” decides that.",
    ),
    open,
  );
  if (chosen === open)
    await vscode.commands.executeCommand("workbench.action.openSettings", "signalbox.oauth.credentialStore");
}
