import type { AuthSettings, Grant } from "../../auth/model/authSettings.ts";

/** Values of `grant`: how tokens are got. */
export type GrantName = Grant["kind"];

/**
 * What the entry of a server says about its authorization, as it is written: only what is there. Texts may hold
 * placeholders; once they are filled in, secrets are among them.
 */
export interface OauthConfig
  extends
    Partial<
      Pick<
        AuthSettings,
        | "registration"
        | "clientId"
        | "clientSecret"
        | "clientKey"
        | "clientKeyAlgorithm"
        | "clientAuthMethod"
        | "scopes"
        | "useServerScopes"
        | "redirectHost"
        | "redirectPort"
        | "dpop"
      >
    >,
    OauthOverrides {
  readonly grant?: GrantName;
  /** For the grant `enterprise`. */
  readonly enterprise?: Readonly<Partial<Omit<Extract<Grant, { kind: "enterprise" }>, "kind">>>;
  /** For the grant `workload`. */
  readonly workload?: { readonly assertion?: string };
}

/** What only the user's own settings may say: each takes a check away from the server, or pins it. */
export interface OauthOverrides {
  readonly issuer?: string;
  readonly resource?: string;
  readonly tokenEndpoint?: string;
  readonly assumePkceS256?: boolean;
}
