import { createHash } from "node:crypto";

/** Which tool of which configured server is meant. The name is the exact one on the wire. */
export interface ToolAddress {
  readonly serverId: string;
  readonly toolName: string;
}

/** What every model API accepts. */
const MAX_LENGTH = 64;
const UNSAFE = /[^A-Za-z0-9_-]/g;
const DIGEST_LENGTHS = [8, 16, 32] as const;

/**
 * Gives every tool a name that models accept, and no two the same one. The names depend on the tools alone, not on
 * their order, and lead back to the exact server and tool. Tools are told apart by the configured server, never by the
 * name that a server gives itself.
 */
export function assignToolNames(tools: readonly ToolAddress[]): ReadonlyMap<string, ToolAddress> {
  const byPlainName = new Map<string, ToolAddress[]>();
  for (const tool of tools) {
    const plain = plainName(tool);
    byPlainName.set(plain, [...(byPlainName.get(plain) ?? []), tool]);
  }
  const named = new Map<string, ToolAddress>();
  for (const [plain, sharing] of byPlainName) {
    const [only] = sharing;
    if (sharing.length === 1 && only !== undefined && plain.length <= MAX_LENGTH) named.set(plain, only);
  }
  for (const [plain, sharing] of byPlainName) {
    if (sharing.length === 1 && plain.length <= MAX_LENGTH) continue;
    for (const tool of sharing) named.set(digestName(plain, tool, named), tool);
  }
  return named;
}

function plainName({ serverId, toolName }: ToolAddress): string {
  const name = `${serverId}__${toolName}`.replace(UNSAFE, "_");
  // Some models want a letter or an underscore first.
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/** A name with a digest of the exact address, longer only when even that one is taken. */
function digestName(plain: string, tool: ToolAddress, taken: ReadonlyMap<string, ToolAddress>): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([tool.serverId, tool.toolName]))
    .digest("hex");
  for (const length of DIGEST_LENGTHS) {
    const name = `${plain.slice(0, MAX_LENGTH - length - 1)}_${digest.slice(0, length)}`;
    if (!taken.has(name)) return name;
  }
  return digest;
}
