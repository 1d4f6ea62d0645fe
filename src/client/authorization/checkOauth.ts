import { createProblem } from "../configProblems.ts";
import { hasPlaceholder, parsePlaceholders } from "../placeholders.ts";
import type { ConfigProblem, HttpConfig } from "../serverConfig.ts";
import { authorizationKind } from "./authorizationKind.ts";
import type { GrantName, OauthConfig } from "./oauthConfig.ts";
import { OVERRIDES } from "./oauthSchema.ts";
import { listOauthTexts } from "./oauthTexts.ts";

/** Checks what `oauth` of a definition says, beyond the form of each value. */
export function checkOauth(config: HttpConfig): readonly ConfigProblem[] {
  const { id, oauth, source } = config;
  if (oauth === undefined || oauth === false) return [];
  const isOfWorkspace = source === "workspace" || source === "folder";
  return [
    ...(isOfWorkspace ? findForeign(id, oauth) : findPlainSecrets(id, oauth)),
    ...checkGrant(id, oauth),
    ...(authorizationKind(config) === "external"
      ? [createProblem("warning", id, ["oauth"], "oauth-unused")]
      : []),
  ];
}

/**
 * What whoever wrote a workspace must not say: an override takes a check away from the server or leads a secret
 * somewhere, and a secret or a variable of the user is not theirs to send.
 */
function findForeign(id: string, oauth: OauthConfig): ConfigProblem[] {
  const overrides = OVERRIDES.filter((key) => oauth[key] !== undefined).map((key) =>
    createProblem("error", id, ["oauth", key], "user-only"),
  );
  const texts = listOauthTexts(oauth).flatMap(({ path, text, isSecret }) => {
    const place = ["oauth", ...path];
    if (isSecret === true) return [createProblem("error", id, place, "user-only")];
    const own = parsePlaceholders(text).find(({ kind }) => kind === "env" || kind === "secret");
    return own === undefined
      ? []
      : [createProblem("error", id, place, "user-only-placeholder", { placeholder: own.text })];
  });
  const paths = new Set(overrides.map(({ path }) => path.join(".")));
  return [...overrides, ...texts.filter(({ path }) => !paths.has(path.join(".")))];
}

function findPlainSecrets(id: string, oauth: OauthConfig): ConfigProblem[] {
  return listOauthTexts(oauth)
    .filter(({ isSecret, text }) => isSecret === true && !hasPlaceholder(text))
    .map(({ path }) => createProblem("warning", id, ["oauth", ...path], "plain-secret"));
}

/** A grant without its values, and values of a grant that is not used. */
function checkGrant(id: string, oauth: OauthConfig): ConfigProblem[] {
  const { grant = "authorization_code" } = oauth;
  const groups = ["enterprise", "workload"] as const satisfies readonly GrantName[];
  return groups.flatMap((group) => {
    if (grant === group && oauth[group] === undefined)
      return [createProblem("error", id, ["oauth", group], "missing")];
    if (grant !== group && oauth[group] !== undefined)
      return [createProblem("warning", id, ["oauth", group], "other-grant", { grant: group })];
    return [];
  });
}
