import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../../base/json.ts";
import { type AnyRevision, LATEST_LEGACY_REVISION, OLD_REVISIONS, REVISIONS } from "../../model/revision.ts";
import type { Implementation } from "../../model/server.ts";
import type { InputModes } from "../../mrtr/inputRequired.ts";
import { declareExtensions } from "../declareExtensions.ts";
import type { SessionFacts } from "../eraSession.ts";
import { readImplementation } from "../readImplementation.ts";

/** Legacy revisions, newest first, with those that only `minimumProtocol` allows. */
const LEGACY: readonly AnyRevision[] = [
  ...REVISIONS.filter((revision) => revision !== "2026-07-28"),
  ...OLD_REVISIONS,
];

/** The legacy revisions that are acceptable down to a minimum, newest first. */
export function acceptedLegacyRevisions(minimum: AnyRevision): readonly AnyRevision[] {
  return LEGACY.filter((revision) => revision >= minimum);
}

/**
 * Parameters of `initialize`. What can be answered at all is declared for the whole session; extensions are younger
 * than these revisions, and declared as in later ones.
 */
export function initializeParams(
  revision: AnyRevision,
  clientInfo: Implementation,
  modes: InputModes | undefined,
  extensions: readonly string[] = [],
): JsonObject {
  return {
    protocolVersion: revision,
    capabilities: {
      ...declareLegacyInput(revision, modes),
      ...declareExtensions(extensions),
    },
    clientInfo: { ...clientInfo },
  };
}

/** The revision before 2025-11-25 knows forms only and has no modes, and no tools in requests for sampling. */
function declareLegacyInput(revision: AnyRevision, modes: InputModes | undefined): JsonObject {
  if (modes === undefined) return {};
  const { form, url, sampling, roots } = modes;
  const isLatest = revision >= LATEST_LEGACY_REVISION;
  const elicitation = isLatest ? { ...(form && { form: {} }), ...(url && { url: {} }) } : {};
  return {
    ...((form || (isLatest && url)) && { elicitation }),
    ...(sampling !== undefined && { sampling: isLatest && sampling === "tools" ? { tools: {} } : {} }),
    ...(roots === true && { roots: { listChanged: true } }),
  };
}

/** What an `initialize` result turned out to be. */
export type Handshake =
  | { readonly kind: "accepted"; readonly facts: SessionFacts }
  | { readonly kind: "refused"; readonly theirs: string }
  | { readonly kind: "invalid"; readonly reason: string };

/** Reads an `initialize` result against the revisions that are acceptable here. */
export function readInitializeResult(result: JsonObject, accepted: readonly AnyRevision[]): Handshake {
  const version = result["protocolVersion"];
  if (typeof version !== "string") return { kind: "invalid", reason: "it names no protocolVersion" };
  const revision = accepted.find((item) => item === version);
  if (revision === undefined) return { kind: "refused", theirs: version };
  const { capabilities, serverInfo, instructions } = result;
  return {
    kind: "accepted",
    facts: {
      revision,
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      server: readImplementation(serverInfo),
      instructions: typeof instructions === "string" ? instructions : undefined,
    },
  };
}

/**
 * The revision for a second `initialize` after a server refused the first instead of negotiating.
 * One that the refusal names wins, in its data or its text; else the next older one. Undefined: nothing to try.
 */
export function chooseRetryRevision(
  offered: AnyRevision,
  accepted: readonly AnyRevision[],
  refusal: { readonly text: string; readonly data?: JsonValue | undefined },
): AnyRevision | undefined {
  const words = `${refusal.text} ${refusal.data === undefined ? "" : stringifyJson(refusal.data)}`;
  const others = accepted.filter((revision) => revision < offered);
  return (
    others.find((revision) => words.includes(revision)) ?? (/version/i.test(words) ? others[0] : undefined)
  );
}
