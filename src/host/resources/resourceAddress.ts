/** The scheme of resources in the editor. Nothing below it is on this machine. */
export const RESOURCE_SCHEME = "signalbox-resource";

/** Which resource of which configured server a document shows. */
export interface ResourceAddress {
  readonly serverId: string;
  /** The resource's own URI: a name for the server, never opened here, whatever its scheme. */
  readonly uri: string;
  /** Which of several contents, from 0. */
  readonly part: number;
  /** Set for a file of a skill, which is verified whenever it is read: the URI of its SKILL.md. */
  readonly skill?: string;
}

/** The parts of an editor's URI that stand for a resource. */
export interface AddressParts {
  readonly scheme: string;
  /** Only for people and for the editor's guess at a language. */
  readonly path: string;
  readonly query: string;
}

/** The editor's URI of a resource, under a file name for people. */
export function toAddressParts(address: ResourceAddress, fileName: string): AddressParts {
  const query = new URLSearchParams({ server: address.serverId, uri: address.uri });
  if (address.skill !== undefined) query.set("skill", address.skill);
  if (address.part > 0) query.set("part", String(address.part));
  return { scheme: RESOURCE_SCHEME, path: `/${fileName}`, query: query.toString() };
}

/** The resource that an editor's URI stands for; undefined when it is not one of ours. */
export function readAddress({
  scheme,
  query,
}: Pick<AddressParts, "scheme" | "query">): ResourceAddress | undefined {
  if (scheme !== RESOURCE_SCHEME) return undefined;
  const values = new URLSearchParams(query);
  const serverId = values.get("server");
  const uri = values.get("uri");
  const skill = values.get("skill");
  const part = Number(values.get("part") ?? "0");
  if (serverId === null || uri === null || !Number.isInteger(part) || part < 0) return undefined;
  return { serverId, uri, part, ...(skill === null ? {} : { skill }) };
}

/** One key for one address, whatever file name it is shown under. */
export function addressKey({ serverId, uri, part, skill }: ResourceAddress): string {
  return JSON.stringify([serverId, uri, part, ...(skill === undefined ? [] : [skill])]);
}
