import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { DpopProver } from "../dpop/dpopProver.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { ClientFacts, IssuerFacts, ScopeChoice, TokenFacts } from "../model/facts.ts";
import type { SignInPorts } from "../model/signInPorts.ts";
import { isScopeRefusal, mayGoWithout, NO_SCOPES } from "../scopes/scopeRefusal.ts";
import { createTokenClient } from "../token/createTokenClient.ts";
import { refusedClient } from "../token/refusedClient.ts";
import type { TokenClient } from "../token/tokenClient.ts";
import type { AnswerDesk } from "./answerDesk.ts";
import { authorizationParameters, authorizationUrl, randomToken } from "./authorizationUrl.ts";
import { awaitAnswer } from "./awaitAnswer.ts";
import type { CheckedCode, OwnAnswer } from "./readAnswer.ts";

/** Everything that is settled before the browser opens. Nothing that comes later changes any of it. */
export interface Settled {
  readonly context: AuthContext;
  readonly ports: SignInPorts;
  readonly desk: AnswerDesk;
  /** The resource, exactly as its metadata writes it. */
  readonly resource: string;
  readonly issuer: IssuerFacts;
  readonly authorizationEndpoint: string;
  readonly client: ClientFacts;
  readonly redirectUri: string;
  /** Where this machine listens for it. */
  readonly listenerUri: string;
  readonly how: "open" | "show";
  /** Whether the person is to sign in there anew, to choose another account. */
  readonly asksAccount: boolean;
  readonly dpop: DpopProver | undefined;
}

/** What came of it. */
export interface Requested {
  readonly tokens: TokenFacts;
  /** What was asked for in the end. */
  readonly scopes: ScopeChoice;
}

/** What a page says of a client that is not registered, or no longer. */
const UNKNOWN_CLIENT: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client"]);

/**
 * Asks for tokens with the browser. Scopes that were found and not decided on by a person are left out in a second and
 * last attempt when the authorization server refuses them.
 *
 * @throws AuthError, NetError, or the reason of the signal.
 */
export async function requestTokens(settled: Settled, wanted: ScopeChoice): Promise<Requested> {
  const { context, client, issuer, dpop } = settled;
  const tokenClient = createTokenClient(context, issuer, client, dpop);
  const mayAskAgain = mayGoWithout(wanted);
  const first = await attempt(settled, tokenClient, wanted, mayAskAgain);
  if (first !== undefined) return { tokens: first, scopes: wanted };
  if (mayAskAgain) {
    const { serverName } = context.settings;
    context.log.write(
      "info",
      `${serverName}: the scopes that were found are refused; asking again without any`,
    );
    const second = await attempt(settled, tokenClient, NO_SCOPES, false);
    if (second !== undefined) return { tokens: second, scopes: NO_SCOPES };
  }
  const names = { server: context.settings.serverName, issuer: issuer.issuer };
  throw new AuthError("scope-refused", { ...names, scopes: cleanText(wanted.scopes.join(" ")) });
}

/** One visit of the browser, with a state and a verifier of its own. Undefined when the scopes are refused. */
async function attempt(
  settled: Settled,
  tokenClient: TokenClient,
  wanted: ScopeChoice,
  mayAskAgain: boolean,
): Promise<TokenFacts | undefined> {
  const { context, ports, desk, issuer, redirectUri, resource } = settled;
  const state = randomToken();
  const verifier = randomToken();
  try {
    const url = await requestUrl(settled, tokenClient, wanted, { state, verifier });
    const { issuer: name, issInAnswers } = issuer;
    const awaited = { state, issuer: name, issInAnswers, mayAskAgain };
    const addresses = [redirectUri, settled.listenerUri];
    const answer = await awaitAnswer(context, ports, desk, awaited, { url, how: settled.how, addresses });
    const { code } = takeCode(settled, answer);
    return await tokenClient.exchangeCode({ code, redirectUri, verifier, resource });
  } catch (error) {
    if (isScopeRefusal(error)) return undefined;
    throw error;
  }
}

/** The address that the browser is sent to, its parameters pushed before where the server wants that (RFC 9126). */
async function requestUrl(
  { client, redirectUri, resource, dpop, issuer, authorizationEndpoint, asksAccount }: Settled,
  tokenClient: TokenClient,
  { scopes, offline }: ScopeChoice,
  { state, verifier }: { readonly state: string; readonly verifier: string },
): Promise<string> {
  const parameters = authorizationParameters({
    clientId: client.id,
    redirectUri,
    state,
    verifier,
    resource,
    scopes,
    offline,
    asksAccount,
    dpopThumbprint: await dpop?.thumbprint(),
  });
  if (!issuer.requiresPar) return authorizationUrl(authorizationEndpoint, parameters);
  const { requestUri } = await tokenClient.push(parameters);
  const pushed = new URLSearchParams({ client_id: client.id, request_uri: requestUri });
  return authorizationUrl(authorizationEndpoint, pushed);
}

function takeCode({ context, issuer, client }: Settled, answer: OwnAnswer): CheckedCode {
  const names = { server: context.settings.serverName, issuer: issuer.issuer };
  switch (answer.kind) {
    case "code":
      return answer.checked;
    case "refused": {
      const { error, description } = answer;
      if (UNKNOWN_CLIENT.has(error)) throw refusedClient(client, { ...names, error, description });
      throw new AuthError("authorization-refused", { ...names, error, description });
    }
    case "rejected":
      if (answer.problem !== "callback-invalid") throw new AuthError(answer.problem, names);
      throw new AuthError("callback-invalid", { ...names, reason: answer.reason });
  }
}
