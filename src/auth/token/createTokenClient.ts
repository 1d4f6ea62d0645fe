import { CallScope } from "../../base/callScope.ts";
import { errorText } from "../../base/errors.ts";
import { NetError } from "../../net/netError.ts";
import { isUnreached } from "../../net/netFailure.ts";
import { AuthError } from "../authError.ts";
import type { DpopProver } from "../dpop/dpopProver.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { ClientFacts, IssuerFacts, TokenFacts } from "../model/facts.ts";
import { type Asker, askServer, type CleanAnswer } from "./askServer.ts";
import { readTokens } from "./readTokens.ts";
import { describeAnswer, isBusy, isServerFault, toAnswerError, toUnavailable } from "./toAnswerError.ts";
import type { CodeToExchange, Revocation, TokenClient } from "./tokenClient.ts";

const REVOKE_MS = 5_000;

/** A client of the token endpoint of an issuer. With `dpop`, requests for tokens are proven, so that these are bound. */
export function createTokenClient(
  context: AuthContext,
  issuer: IssuerFacts,
  client: ClientFacts,
  dpop: DpopProver | undefined,
): TokenClient {
  return new EndpointClient({ context, issuer, client, dpop });
}

class EndpointClient implements TokenClient {
  readonly #asker: Asker;
  /** What every error of this client names. */
  readonly #named: { readonly server: string; readonly issuer: string };

  constructor(asker: Asker) {
    this.#asker = asker;
    this.#named = { server: asker.context.settings.serverName, issuer: asker.issuer.issuer };
  }

  async exchangeCode({ code, redirectUri, verifier, resource }: CodeToExchange): Promise<TokenFacts> {
    const parameters = { code, redirect_uri: redirectUri, code_verifier: verifier, resource };
    let answer: CleanAnswer;
    try {
      answer = await this.#ask("authorization_code", parameters);
    } catch (error) {
      if (error instanceof NetError && error.mayHaveRun) throw this.#uncertain(error.message, error);
      throw error;
    }
    if (isServerFault(answer)) throw this.#uncertain(describeAnswer(answer));
    return this.#read(answer);
  }

  async refresh(facts: { readonly refresh: string; readonly resource: string }): Promise<TokenFacts> {
    const parameters = { refresh_token: facts.refresh, resource: facts.resource };
    let answer: CleanAnswer;
    try {
      answer = await this.#ask("refresh_token", parameters);
    } catch (error) {
      if (error instanceof NetError && (isUnreached(error) || error.mayHaveRun)) {
        throw this.#unavailable(error.message, error);
      }
      throw error;
    }
    if (isServerFault(answer) || isBusy(answer)) throw this.#unavailable(describeAnswer(answer));
    return { refresh: facts.refresh, ...this.#read(answer) };
  }

  async clientCredentials(facts: {
    readonly resource: string;
    readonly scopes: readonly string[];
  }): Promise<TokenFacts> {
    const parameters = { resource: facts.resource, ...scopeParameter(facts.scopes) };
    return this.#readNow(await this.#ask("client_credentials", parameters));
  }

  async jwtBearer(facts: {
    readonly assertion: string;
    readonly resource: string;
    readonly scopes: readonly string[];
  }): Promise<TokenFacts> {
    const { assertion, resource, scopes } = facts;
    const parameters = { assertion, resource, ...scopeParameter(scopes) };
    return this.#readNow(await this.#ask("urn:ietf:params:oauth:grant-type:jwt-bearer", parameters));
  }

  async push(parameters: URLSearchParams): Promise<{ readonly requestUri: string }> {
    const answer = await askServer(this.#asker, { kind: "push", parameters });
    if (answer.kind !== "fields") throw toAnswerError(this.#asker, answer);
    const requestUri = answer.fields["request_uri"];
    if (typeof requestUri === "string" && requestUri !== "") return { requestUri };
    throw this.#badAnswer("it has no “request_uri”");
  }

  async revoke(token: string, hint: "access_token" | "refresh_token"): Promise<Revocation> {
    const { clock, signal } = this.#asker.context;
    const scope = new CallScope({
      clock,
      signals: [signal],
      maximumMs: REVOKE_MS,
      timeoutError: (limitMs) => new Error(`no answer within ${limitMs / 1000} seconds`),
    });
    try {
      const answer = await askServer(this.#asker, { kind: "revoke", token, hint }, scope.signal);
      // Any success will do, whatever it says (RFC 7009 §2.2).
      const isDone = answer.kind !== "error" && answer.status < 300;
      return isDone ? "revoked" : { failed: describeAnswer(answer) };
    } catch (error) {
      signal.throwIfAborted();
      return { failed: errorText(error) };
    } finally {
      scope.dispose();
    }
  }

  #ask(grantType: string, parameters: Record<string, string>): Promise<CleanAnswer> {
    const question = { kind: "tokens", grantType, parameters: new URLSearchParams(parameters) } as const;
    return askServer(this.#asker, question);
  }

  /** For grants that can be used again at any time: a failure that may pass is told apart. */
  #readNow(answer: CleanAnswer): TokenFacts {
    const unavailable = toUnavailable(this.#asker, answer);
    if (unavailable !== undefined) throw unavailable;
    return this.#read(answer);
  }

  #read(answer: CleanAnswer): TokenFacts {
    if (answer.kind !== "fields") throw toAnswerError(this.#asker, answer);
    const { dpop, context } = this.#asker;
    const reading = readTokens(answer.fields, {
      askedAtMs: answer.askedAtMs,
      proved: dpop !== undefined,
      mustBeBound: context.settings.dpop === "required",
    });
    switch (reading.kind) {
      case "tokens":
        return reading.tokens;
      case "not-bound":
        throw new AuthError("token-not-bound", this.#named);
      case "odd":
        throw this.#badAnswer(reading.reason);
    }
  }

  #badAnswer(reason: string): AuthError {
    return new AuthError("bad-token-answer", { ...this.#named, reason });
  }

  #uncertain(reason: string, cause?: NetError): AuthError {
    return new AuthError("exchange-uncertain", { ...this.#named, reason }, { cause });
  }

  #unavailable(reason: string, cause?: NetError): AuthError {
    return new AuthError("refresh-unavailable", { ...this.#named, reason }, { cause });
  }
}

function scopeParameter(scopes: readonly string[]): { scope?: string } {
  return scopes.length === 0 ? {} : { scope: scopes.join(" ") };
}
