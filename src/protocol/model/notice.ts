import type { JsonObject } from "../../base/json.ts";
import type { FeatureName } from "../mrtr/clientFeatures.ts";
import type { ListName } from "./listing.ts";

/** What a server says on its own, the same for both eras. It informs; it grants nothing. */
export type ServerNotice =
  /** A list changed, or a change of it may have been missed: both mean that it is read again. */
  | { readonly kind: "list-changed"; readonly list: ListName }
  /** A resource changed, or one below it. */
  | { readonly kind: "resource-updated"; readonly uri: string }
  /** The server wants something that is off for it. */
  | { readonly kind: "feature-wanted"; readonly feature: FeatureName }
  /** A task moved on; the parameters as they came. */
  | { readonly kind: "task"; readonly task: JsonObject }
  /** What a person was sent to do elsewhere is done. */
  | { readonly kind: "elicitation-complete"; readonly elicitationId: string };
