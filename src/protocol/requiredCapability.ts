/** What a server has to announce so that a method may be sent to it. Methods that are not here need nothing. */
const NEEDS: ReadonlyMap<string, string> = new Map([
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["prompts/get", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resources"],
  ["resources/read", "resources"],
  ["completion/complete", "completions"],
]);

/** The capability of the server without which a method is not sent; undefined when there is none. */
export function requiredCapability(method: string): string | undefined {
  return NEEDS.get(method);
}
