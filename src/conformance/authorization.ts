import type { AuthSession } from "../auth/model/authSession.ts";
import type { SignInPorts } from "../auth/model/signInPorts.ts";
import { createAuthSession } from "../auth/session/createAuthSession.ts";
import { createMemoryCredentialStore } from "../auth/store/memoryCredentialStore.ts";
import { createMemoryLock } from "../auth/store/memoryLock.ts";
import type { Clock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { OauthConfig } from "../client/authorization/oauthConfig.ts";
import type { HttpConfig, ResolvedConfig } from "../client/serverConfig.ts";
import { toAuthSettings } from "../client/toAuthSettings.ts";
import { createPinnedNetwork } from "../net/createPinnedNetwork.ts";
import { NO_EDITOR } from "../net/networkSettings.ts";
import { text } from "./scenarios.ts";

/** The suite knows a client by this address. Nobody serves a document there, and nobody asks for one. */
const CLIENT_METADATA_URL = "https://conformance-test.local/client-metadata.json";

/** What the suite says about one run. */
export interface AuthorizationRun {
  readonly scenario: string;
  readonly config: HttpConfig & ResolvedConfig;
  readonly context: JsonObject;
  readonly clock: Clock;
  readonly log: Log;
}

/** The product's own authorization for one run, with a person who allows everything that is asked. */
export async function createAuthorization(run: AuthorizationRun): Promise<AuthSession> {
  const { clock, log, config } = run;
  const oauth = toOauth(run, await findIssuer(run));
  const settings = toAuthSettings(
    { ...config, oauth },
    { clientMetadataUrl: CLIENT_METADATA_URL, fakeIpRanges: [] },
  );
  if (settings === undefined) throw new Error("These settings need no authorization.");
  return createAuthSession({
    settings,
    scope: "conformance",
    installationId: "conformance",
    network: createPinnedNetwork({
      serverName: config.id,
      endpoint: settings.endpoint,
      route: {},
      network: () => ({ editor: NO_EDITOR, environment: {} }),
      fakeIpRanges: [],
      log,
    }),
    store: createMemoryCredentialStore(),
    lock: createMemoryLock(clock),
    ports: obligingPerson,
    clock,
    log,
    onSecret: () => undefined,
  });
}

/** Confirms everything; the browser is a request that follows redirects. */
const obligingPerson: SignInPorts = {
  confirm: () => Promise.resolve(true),
  chooseIssuer: (issuers) => Promise.resolve(issuers[0]),
  askClient: () => Promise.resolve(undefined),
  open: (url, _how, signal) => {
    // Where the browser ends is for the listener to say.
    fetch(url, { signal }).catch((error: unknown) => process.stderr.write(`browser: ${String(error)}\n`));
    return Promise.resolve();
  },
  externalUri: (loopback) => Promise.resolve(loopback),
  pasteAddress: () => new Promise(() => undefined),
};

/** What a person would have written into the settings after reading the manual of the scenario's server. */
function toOauth({ scenario, context }: AuthorizationRun, issuer: string | undefined): OauthConfig {
  const clientId = text(context["client_id"]);
  const secret = text(context["client_secret"]);
  const key = text(context["private_key_pem"]);
  return {
    ...(clientId === "" ? {} : { clientId }),
    ...(secret === "" ? {} : { clientSecret: secret }),
    ...(key === "" ? {} : { clientKey: key, clientKeyAlgorithm: text(context["signing_algorithm"]) }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(scenario.startsWith("auth/dpop") ? { dpop: "required" } : {}),
    ...toGrant(scenario, context),
  };
}

function toGrant(scenario: string, context: JsonObject): OauthConfig {
  switch (scenario) {
    case "auth/client-credentials-basic":
    case "auth/client-credentials-jwt":
      return { grant: "client_credentials" };
    case "auth/enterprise-managed-authorization":
      return {
        grant: "enterprise",
        enterprise: {
          idpIssuer: text(context["idp_issuer"]),
          idpClientId: text(context["idp_client_id"]),
          idpTokenEndpoint: text(context["idp_token_endpoint"]),
          idToken: text(context["idp_id_token"]),
        },
      };
    case "auth/wif-jwt-bearer":
      return { grant: "workload", workload: { assertion: text(context["valid_jwt"]) } };
    default:
      return {};
  }
}

/**
 * The authorization server that secrets of the context are meant for. Without it the product sends none; where the
 * context leaves it out, it is what the manual of the server would say.
 */
async function findIssuer({ config, context }: AuthorizationRun): Promise<string | undefined> {
  const named = text(context["issuer"]);
  if (named !== "") return named;
  if (text(context["client_secret"]) === "" && text(context["private_key_pem"]) === "") return undefined;
  const { origin, pathname } = new URL(config.url);
  const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const { authorization_servers: servers } = (await answer.json()) as { authorization_servers?: string[] };
  return servers?.[0];
}
