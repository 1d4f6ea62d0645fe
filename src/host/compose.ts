import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { stringifyJson } from "../base/json.ts";
import { createServerPool } from "../client/createServerPool.ts";
import { parseServers } from "../client/parseServers.ts";
import { resolveConfig } from "../client/resolveConfig.ts";
import type { PoolPorts, ServerPool } from "../client/serverPool.ts";
import { createApi, type SignalboxApi } from "./api.ts";
import { createApprovalStore } from "./approval/approvalStore.ts";
import { createApprove } from "./approval/createApprove.ts";
import { createAuthorize } from "./auth/createAuthorize.ts";
import { readOauthSettings } from "./auth/oauthSettings.ts";
import { SignInDesk } from "./auth/signInDesk.ts";
import { followSignIns } from "./auth/signInProgress.ts";
import { registerChat } from "./chat/registerChat.ts";
import { createHandlers } from "./commands/createHandlers.ts";
import { registerCommands } from "./commands/registerCommands.ts";
import { createInputAnswers, type InputAnswers } from "./config/inputAnswers.ts";
import { readNetworkSettings } from "./config/networkSettings.ts";
import { placeholderPorts } from "./config/placeholderPorts.ts";
import { publishDiagnostics } from "./config/publishDiagnostics.ts";
import { createSecretVault } from "./config/secretVault.ts";
import { type ConfigWatcher, watchConfig } from "./config/watchConfig.ts";
import { createHostLog } from "./createHostLog.ts";
import { createInputPanel } from "./panels/inputPanel.ts";
import { createFeatures, type Features } from "./features/createFeatures.ts";
import { registerToolRunPanels } from "./panels/toolRunPanel.ts";
import { registerPromptDocuments } from "./prompts/promptDocuments.ts";
import { readClientInfo } from "./readClientInfo.ts";
import { createOpenedByPerson } from "./resources/openedByPerson.ts";
import { ResourceFiles } from "./resources/resourceFiles.ts";
import { isResourceOpen, markSeenInTabs } from "./resources/openTabs.ts";
import { WatchedResources } from "./resources/watchedResources.ts";
import type { HostServices } from "./services.ts";
import { createTaskMemory } from "./tasks/taskMemory.ts";
import { createVerdictStore } from "./verdictStore.ts";
import { type InfoDocuments, registerInfoDocuments } from "./views/infoDocuments.ts";
import { registerServersTree } from "./views/serversTree.ts";
import { registerStatusBar } from "./views/registerStatusBar.ts";
import { watchContextKeys } from "./views/watchContextKeys.ts";

/** What runs until the extension is switched off. */
export interface Composed {
  readonly api: SignalboxApi;
  /** Ends all connections, waits for their processes, and disposes everything else. */
  close(): Promise<void>;
}

/** Builds the whole extension by hand, from the bottom up. The only place that knows all of its parts. */
export function compose(context: vscode.ExtensionContext): Composed {
  const store = new DisposableStore();
  const log = store.add(createHostLog());
  const secrets = store.add(createSecretVault(context.secrets, context.globalState));
  const documents = store.add(registerInfoDocuments());
  const config = store.add(watchConfig(context, parseServers));

  // The panel and the pool need each other: the panel asks for the pool when it has something to show.
  const late: { pool?: ServerPool } = {};
  const panelServices = {
    context,
    log,
    get pool() {
      if (late.pool === undefined) throw new Error("The pool was asked for before it was made.");
      return late.pool;
    },
  };
  const inputHandler = store.add(createInputPanel(panelServices));
  const features = store.add(createFeatures(panelServices));
  const approve = createApprove(createApprovalStore(context.workspaceState), documents);
  const answers = createInputAnswers();
  const desk = store.add(new SignInDesk());
  const pool = store.add(
    createPool({ context, log, inputHandler, secrets, config, approve, answers, features, documents, desk }),
  );
  late.pool = pool;
  store.add(forgetFailedAnswers(pool, answers));
  store.add(followSignIns(pool, desk));

  const { samplingPanel } = features;
  const services: HostServices = { context, pool, log, secrets, inputHandler, samplingPanel };
  const files = store.add(new ResourceFiles(services, createOpenedByPerson(context.workspaceState)));
  const watched = store.add(new WatchedResources(pool, isResourceOpen));
  store.add(markSeenInTabs(watched));
  const resources = { services, files, watched, documents };
  const prompts = store.add(registerPromptDocuments());
  const tree = store.add(registerServersTree(services, config, watched, features.store));
  store.add(registerStatusBar(services));
  store.add(watchContextKeys(services, desk));
  const parts = { config, tree, resources, prompts, features, desk };
  store.add(registerCommands(services, createHandlers(services, parts)));
  store.add(registerToolRunPanels(services));
  store.add(registerChat(services));
  store.add(publishDiagnostics(context, config));
  const api = createApi(services, documents, store);

  const configure = (): void => {
    services.pool.configure(config.current.parsed);
  };
  store.add(config.onDidChange(configure));
  configure();

  return {
    api,
    async close() {
      await services.pool.close();
      store.dispose();
    },
  };
}

/** An answer with which a server failed is asked for again, unless the server is started again with it. */
function forgetFailedAnswers(pool: ServerPool, answers: InputAnswers): Disposable {
  return pool.onDidChange((id) => {
    const entry = id === undefined ? undefined : pool.get(id);
    const hasFailed = entry?.state.kind === "failed" && entry.state.restart === undefined;
    if (hasFailed && entry.config !== undefined) answers.forgetFor(entry.config);
  });
}

interface PoolParts extends Omit<HostServices, "pool" | "samplingPanel"> {
  readonly config: ConfigWatcher;
  readonly approve: PoolPorts["approve"];
  readonly documents: InfoDocuments;
  readonly desk: SignInDesk;
  readonly answers: InputAnswers;
  readonly features: Features;
}

/** Gives the engine everything that it needs from the editor. */
function createPool(parts: PoolParts): ServerPool {
  const { context, log, secrets, config, inputHandler, approve, answers, features } = parts;
  return createServerPool({
    clientInfo: readClientInfo(context),
    log: (serverId) => log.forServer(serverId),
    async resolve(server, signal, { mayAsk }) {
      const origin = config.current.origins.get(server.id);
      const placeholders = placeholderPorts(context, secrets, answers, origin);
      const known = { ...placeholders, input: (id: string) => Promise.resolve(answers.get(id)) };
      const resolved = await resolveConfig(server, mayAsk ? placeholders : known, signal);
      // Before anything is started, so that not even the first line of output can show one.
      log.addSecrets(server.id, resolved.secrets);
      return resolved;
    },
    approve,
    authorize: createAuthorize(parts),
    authorizationSettings: () => {
      const { clientMetadataUrl, fakeIpRanges } = readOauthSettings();
      return stringifyJson([clientMetadataUrl, [...fakeIpRanges]]);
    },
    input: inputHandler,
    features: features.forServer,
    verdicts: createVerdictStore(context.globalState),
    tasks: createTaskMemory(context.workspaceState),
    network: readNetworkSettings,
  });
}
