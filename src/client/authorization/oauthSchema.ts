import * as z from "zod";
import type { GrantName, OauthConfig, OauthOverrides } from "./oauthConfig.ts";

const filled = z.string().refine((value) => value.trim() !== "", { error: "empty" });

/** The bounds of `oauth.redirectPort`. */
export const PORT_RANGE = [1, 65_535] as const;

/** Values of `oauth.grant`. */
export const GRANTS = [
  "authorization_code",
  "client_credentials",
  "enterprise",
  "workload",
] as const satisfies readonly GrantName[];

/** The part `oauth` of an entry that describes an HTTP endpoint. Only what is written is there: defaults come later. */
export const oauthEntry = z.object({
  grant: z.enum(GRANTS).optional(),
  registration: z.enum(["auto", "preregistered", "cimd", "dcr"]).optional(),
  clientId: filled.optional(),
  clientSecret: filled.optional(),
  clientKey: filled.optional(),
  clientKeyAlgorithm: filled.optional(),
  clientAuthMethod: z
    .enum(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"])
    .optional(),
  scopes: z.array(filled).optional(),
  useServerScopes: z.boolean().optional(),
  redirectHost: z.enum(["127.0.0.1", "localhost"]).optional(),
  redirectPort: z.int().min(PORT_RANGE[0]).max(PORT_RANGE[1]).optional(),
  dpop: z.enum(["off", "auto", "required"]).optional(),
  issuer: filled.optional(),
  resource: filled.optional(),
  tokenEndpoint: filled.optional(),
  assumePkceS256: z.boolean().optional(),
  enterprise: z
    .object({
      idpIssuer: filled,
      idpClientId: filled,
      idpClientSecret: filled.optional(),
      idpTokenEndpoint: filled.optional(),
      idToken: filled,
    })
    .optional(),
  workload: z.object({ assertion: filled }).optional(),
} satisfies Record<keyof OauthConfig, unknown>);

/** What only the user's own settings may say. */
export const OVERRIDES = [
  "issuer",
  "resource",
  "tokenEndpoint",
  "assumePkceS256",
] as const satisfies readonly (keyof OauthOverrides)[];

/** Texts of `oauth` that may hold placeholders, in the order in which they are filled. */
export const OAUTH_TEXTS: readonly OauthText[] = [
  { path: ["clientId"] },
  { path: ["clientSecret"], isSecret: true },
  { path: ["clientKey"], isSecret: true },
  { path: ["issuer"] },
  { path: ["resource"] },
  { path: ["tokenEndpoint"] },
  { path: ["enterprise", "idpIssuer"] },
  { path: ["enterprise", "idpClientId"] },
  { path: ["enterprise", "idpClientSecret"], isSecret: true },
  { path: ["enterprise", "idpTokenEndpoint"] },
  { path: ["enterprise", "idToken"], isSecret: true },
  { path: ["workload", "assertion"], isSecret: true },
];

/** One text that may hold placeholders, and whether what it holds is a secret. */
export interface OauthText {
  readonly path: readonly [key: string] | readonly [group: "enterprise" | "workload", key: string];
  readonly isSecret?: boolean;
}
