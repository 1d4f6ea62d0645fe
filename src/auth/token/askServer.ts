import type { AuthorizationServer, ClientAuth, CustomFetchOptions } from "oauth4webapi";

import { Redactor } from "../../base/redact.ts";
import type { PinnedRequest, PinnedResponse } from "../../net/pinnedRequest.ts";
import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { DpopProver } from "../dpop/dpopProver.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import { checkSecretTarget } from "../registration/checkSecretTarget.ts";
import { type ClientAuthentication, clientAuthentication, clientSecretOf } from "./clientAuthentication.ts";
import { type OAuthAnswer, readOAuthAnswer } from "./readOAuthAnswer.ts";

/** Who asks whom. */
export interface Asker {
  readonly context: AuthContext;
  readonly issuer: IssuerFacts;
  readonly client: ClientFacts;
  /** Proves the requests for tokens; undefined when they are not to be bound to a key. */
  readonly dpop: DpopProver | undefined;
}

/** What an authorization server can be asked for. */
export type Question =
  | { readonly kind: "tokens"; readonly grantType: string; readonly parameters: URLSearchParams }
  | { readonly kind: "push"; readonly parameters: URLSearchParams }
  | { readonly kind: "revoke"; readonly token: string; readonly hint: string };

/** An answer whose texts are clean and short, and hold nothing of what was sent in secret. */
export type CleanAnswer = OAuthAnswer & {
  /** When it was asked for. */
  readonly askedAtMs: number;
};

const USER_AGENT = "signalbox";
const MAX_ERROR = 100;
const MAX_DESCRIPTION = 300;
/** What a server might quote in an error, and nobody may read there. */
const SECRET_PARAMETERS = [
  "code",
  "code_verifier",
  "refresh_token",
  "client_secret",
  "client_assertion",
  "assertion",
  "subject_token",
  "token",
  "state",
  "nonce",
];

/**
 * Asks an authorization server, and once more when it wants a nonce in the proof that it has just given: that is the
 * only answer after which anything is sent again. Follows no redirect. Rejects with AuthError for what must not be
 * sent, with NetError, and with the signal's reason.
 */
export async function askServer(
  asker: Asker,
  question: Question,
  signal: AbortSignal = asker.context.signal,
): Promise<CleanAnswer> {
  const { context, issuer, client } = asker;
  const { settings, clock } = context;
  const url = endpointOf(asker, question);
  checkSecretTarget(settings, issuer, client, url);
  const authentication = clientAuthentication({ settings, issuer, client, clock });
  const attempt = async (): Promise<{ answer: CleanAnswer; mayAskAgain: boolean }> => {
    const askedAtMs = clock.now();
    const { request, response } = await exchange(asker, question, authentication, signal);
    const isNonceNew = asker.dpop?.heardNonce(url, response.headers, request.headers["dpop"]) === true;
    const answer = readOAuthAnswer(response);
    context.log.write("debug", `Asked ${new URL(url).host} for ${nameOf(question)}: HTTP ${response.status}`);
    return {
      answer: { ...cleaned(answer, redactorOf(asker, request)), askedAtMs },
      mayAskAgain: isNonceNew && answer.kind === "error" && answer.error === "use_dpop_nonce",
    };
  };
  const first = await attempt();
  return first.mayAskAgain ? (await attempt()).answer : first.answer;
}

function nameOf(question: Question): string {
  return question.kind === "tokens" ? `tokens (${question.grantType})` : question.kind;
}

function endpointOf({ issuer, context }: Asker, { kind }: Question): string {
  const endpoints = {
    tokens: issuer.tokenEndpoint,
    push: issuer.parEndpoint,
    revoke: issuer.revocationEndpoint,
  };
  const url = endpoints[kind];
  if (url !== undefined) return url;
  throw new AuthError("bad-endpoint", {
    server: context.settings.serverName,
    issuer: issuer.issuer,
    endpoint: kind === "push" ? "pushed authorization request endpoint" : "revocation endpoint",
    reason: "it has none",
  });
}

interface Exchange {
  readonly request: PinnedRequest;
  readonly response: PinnedResponse;
}

/** One request and its answer. The library writes the request; our network sends it, and our own reader reads. */
async function exchange(
  asker: Asker,
  question: Question,
  authentication: ClientAuthentication,
  signal: AbortSignal,
): Promise<Exchange> {
  const oauth = await import("../oauthLibrary.ts");
  let done: Exchange | undefined;
  const send = async (url: string, init: CustomFetchOptions<"POST", URLSearchParams>): Promise<Response> => {
    const request = await toRequest(asker, question, url, init, signal);
    done = { request, response: await asker.context.network.send(request) };
    // Nobody reads this one: the library hands it on, and knows less of what servers send.
    return new Response();
  };
  const options = {
    [oauth.customFetch]: send,
    // Plain http is for this machine alone, which the network sees to: it knows where each connection leads.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- Marked so for the sake of attention only.
    [oauth.allowInsecureRequests]: true,
    headers: { "user-agent": USER_AGENT },
  };
  const { issuer, client } = asker;
  const server: AuthorizationServer = {
    issuer: issuer.issuer,
    token_endpoint: issuer.tokenEndpoint,
    ...(issuer.parEndpoint === undefined
      ? {}
      : { pushed_authorization_request_endpoint: issuer.parEndpoint }),
    ...(issuer.revocationEndpoint === undefined ? {} : { revocation_endpoint: issuer.revocationEndpoint }),
  };
  // A workload has no id. The library insists on one, and only `authentication` puts it into a request.
  const named = { client_id: client.id === "" ? "workload" : client.id };
  const proven: ClientAuth = (_server, _client, body, headers) => authentication(body, headers);
  switch (question.kind) {
    case "tokens": {
      const { grantType, parameters } = question;
      await oauth.genericTokenEndpointRequest(server, named, proven, grantType, parameters, options);
      break;
    }
    case "push":
      await oauth.pushedAuthorizationRequest(server, named, proven, question.parameters, options);
      break;
    case "revoke": {
      const additionalParameters = { token_type_hint: question.hint };
      await oauth.revocationRequest(server, named, proven, question.token, {
        ...options,
        additionalParameters,
      });
    }
  }
  if (done === undefined) throw new Error("The library sent nothing");
  return done;
}

async function toRequest(
  { context, dpop }: Asker,
  question: Question,
  url: string,
  init: CustomFetchOptions<"POST", URLSearchParams>,
  signal: AbortSignal,
): Promise<PinnedRequest> {
  const headers: Record<string, string> = { ...init.headers };
  if (dpop !== undefined && question.kind !== "revoke")
    headers["dpop"] = await dpop.proof({ method: "POST", url });
  return { method: "POST", url, headers, body: init.body.toString(), from: context.zone, signal };
}

/** Knows every secret of a request. */
function redactorOf({ context, client }: Asker, { headers, body }: PinnedRequest): Redactor {
  const redactor = new Redactor();
  const parameters = new URLSearchParams(body);
  const secrets = [
    ...SECRET_PARAMETERS.map((name) => parameters.get(name)),
    clientSecretOf(context.settings, client),
    headers["authorization"]?.replace(/^\w+ /, ""),
    headers["dpop"],
  ];
  for (const secret of secrets) if (typeof secret === "string") redactor.add(secret);
  return redactor;
}

/** Masks before it cuts: a secret that was cut would no longer be found. */
function cleaned(answer: OAuthAnswer, redactor: Redactor): OAuthAnswer {
  if (answer.kind !== "error") return answer;
  return {
    ...answer,
    error: cleanText(redactor.redact(answer.error), MAX_ERROR),
    description: cleanText(redactor.redact(answer.description), MAX_DESCRIPTION),
  };
}
