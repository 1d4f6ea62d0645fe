import type { CallScope } from "../base/callScope.ts";
import type { Progress } from "./model/tool.ts";

/** Progress shows that the server is still at work: the time limit starts anew. */
export function extendOnProgress(
  scope: CallScope,
  onProgress: ((progress: Progress) => void) | undefined,
): (progress: Progress) => void {
  return (progress) => {
    scope.extend();
    onProgress?.(progress);
  };
}
