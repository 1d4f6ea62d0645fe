import type { Zone } from "../../net/zones.ts";
import type { AuthError } from "../authError.ts";
import type { ClientFacts, IssuerFacts, ResourceFacts, ScopeChoice } from "./facts.ts";

/** Everything that a person has to see before a browser is opened. */
export interface SignInPlan {
  readonly serverName: string;
  readonly resource: ResourceFacts;
  readonly issuer: IssuerFacts;
  readonly client: ClientFacts;
  readonly requested: ScopeChoice;
  /** Where the browser goes first: host and port. */
  readonly authorizationHost: string;
  /** Where it comes back to. */
  readonly redirectUri: string;
  /** Set when the person should not be sent there by a click: the address is only shown, with this reason. */
  readonly showOnly?: "more-private-zone" | "unresolvable";
  /** Scopes that are new in a step-up. */
  readonly added?: readonly string[];
  /** The authorization server of before, when it is another one now. */
  readonly changedFrom?: string;
  /** Set when the MCP endpoint is in another network than at the sign-in before. */
  readonly moved?: { readonly from: Zone; readonly to: Zone };
}

/** A person's part in a sign-in. Each may be dismissed, which ends it; each ends with the signal. */
export interface SignInPorts {
  /** Shows the plan. False declines. */
  confirm(plan: SignInPlan, signal: AbortSignal): Promise<boolean>;
  /** Several authorization servers, and nothing that decides between them. */
  chooseIssuer(issuers: readonly string[], signal: AbortSignal): Promise<string | undefined>;
  /** No way to register: asks for a client id, and a secret if there is one. */
  askClient(
    facts: { readonly issuer: IssuerFacts; readonly redirectUri: string },
    signal: AbortSignal,
  ): Promise<{ readonly id: string; readonly secret?: string } | undefined>;
  /** Opens an address in the browser of the person's machine, exactly as it is written, or only shows it. */
  open(url: string, how: "open" | "show", signal: AbortSignal): Promise<void>;
  /**
   * The address under which the browser reaches a listener of this machine. May reject: the listener's own is used then.
   */
  externalUri(loopback: string): Promise<string>;
  /**
   * Lets the person paste the address that the browser ended on, while the listener waits as well. Resolves when it was
   * given; never resolves while it was not; ends with the signal. A text that cannot be the answer is asked for again,
   * a few times, with what was wrong with it.
   */
  pasteAddress(signal: AbortSignal, problem?: AuthError): Promise<string>;
  /** The texts of the pages that the browser shows in the end; English when left out. */
  readonly pages?: AnswerTexts;
}

/**
 * What the browser shows when it comes back: the answer was taken; the authorization server refused; it refused the
 * scopes and is asked again without any; the answer was not believed; it answers to no sign-in that is under way; it
 * put its answer where no listener can read it; it was taken before.
 */
export type AnswerPage = "taken" | "refused" | "again" | "rejected" | "unknown" | "unreadable" | "already";

/** The words of the pages. Plain text; `{server}` stands for the server's configured name. */
export interface AnswerTexts {
  /** The language as a BCP 47 tag, as in `en`. */
  readonly language: string;
  readonly pages: Readonly<Record<AnswerPage, { readonly title: string; readonly text: string }>>;
}
