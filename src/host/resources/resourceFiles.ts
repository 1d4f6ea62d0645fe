import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { errorText, joinSentences } from "../../base/errors.ts";
import type { ServerPool } from "../../client/serverPool.ts";
import { concernsResource } from "../../protocol/model/subscriptions.ts";
import type { ResourceContents } from "../../protocol/model/resource.ts";
import { describeProblem } from "../describeProblem.ts";
import type { HostServices } from "../services.ts";
import { toContents } from "../skills/toContents.ts";
import { contentBytes } from "./contentBytes.ts";
import { openResources } from "./openTabs.ts";
import type { OpenedByPerson } from "./openedByPerson.ts";
import { addressKey, readAddress, RESOURCE_SCHEME, type ResourceAddress } from "./resourceAddress.ts";
import { untilSettled } from "./untilSettled.ts";

/** What is kept of resources that were read: this many, with this many bytes in all. */
const MAX_KEPT = 64;
const MAX_KEPT_BYTES = 128 * 1024 * 1024;

/** One content of a resource as it was last read. */
export interface KeptContent {
  readonly address: ResourceAddress;
  readonly contents: ResourceContents;
  readonly bytes: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/**
 * Resources as read-only files of the editor, so that its own editors and viewers show them. Only what a person has
 * opened is ever read through here, and nothing touches the disk.
 */
export class ResourceFiles implements vscode.FileSystemProvider, Disposable {
  readonly #services: Pick<HostServices, "pool" | "log">;
  readonly #opened: OpenedByPerson;
  readonly #kept = new Map<string, KeptContent>();
  readonly #reads = new Map<string, Promise<KeptContent>>();
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;

  constructor(services: Pick<HostServices, "pool" | "log">, opened: OpenedByPerson) {
    this.#services = services;
    this.#opened = opened;
    this.#store.add(
      vscode.workspace.registerFileSystemProvider(RESOURCE_SCHEME, this, {
        isReadonly: true,
        isCaseSensitive: true,
      }),
    );
    this.#store.add(
      services.pool.onDidNotice(({ serverId, notice }) => {
        if (notice.kind === "resource-updated") void this.#refresh(serverId, notice.uri);
      }),
    );
  }

  /** Keeps what a person has just read, so that the editor can open it. */
  keep(address: ResourceAddress, contents: ResourceContents): KeptContent {
    this.#opened.add(address);
    const kept = this.#put(address, contents);
    // A document that shows it already takes what is newer.
    const events = openResources()
      .filter((open) => addressKey(open.address) === addressKey(address))
      .map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri }));
    if (events.length > 0) this.#changed.fire(events);
    return kept;
  }

  /** One content of a resource that a person opened: as it was read, else read now. */
  async load(address: ResourceAddress): Promise<KeptContent> {
    const kept = this.#kept.get(addressKey(address));
    if (kept !== undefined) return kept;
    if (!this.#opened.has(address)) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t("This resource was not opened by you. Open it in the Servers view."),
      );
    }
    return this.#read(address);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, readAt } = await this.#loadFile(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: readAt,
      size: bytes.length,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#loadFile(uri)).bytes;
  }

  /** What changes is known without the editor's asking. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#store.dispose();
    this.#kept.clear();
  }

  async #loadFile(uri: vscode.Uri): Promise<KeptContent> {
    const address = readAddress(uri);
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      return await this.load(address);
    } catch (error) {
      if (error instanceof vscode.FileSystemError) throw error;
      const { message, remedy } = describeProblem(error);
      throw vscode.FileSystemError.Unavailable(joinSentences(message, remedy));
    }
  }

  /** Reads a resource once, however many ask for it at the same time. */
  #read(address: ResourceAddress): Promise<KeptContent> {
    const key = addressKey(address);
    const under = this.#reads.get(key);
    if (under !== undefined) return under;
    const reading = readPart(this.#services.pool, address)
      .then((contents) => this.#put(address, contents))
      .finally(() => this.#reads.delete(key));
    this.#reads.set(key, reading);
    return reading;
  }

  /** A resource changed: what is open is read again, everything else when it is next opened. */
  async #refresh(serverId: string, uri: string): Promise<void> {
    const open = new Map(openResources().map((each) => [addressKey(each.address), each]));
    const isMeant = (address: ResourceAddress): boolean =>
      address.serverId === serverId && concernsResource(uri, address.uri);
    for (const [key, { address }] of this.#kept) {
      if (isMeant(address) && !open.has(key)) this.#kept.delete(key);
    }
    for (const { address, uri: file } of open.values()) {
      if (!isMeant(address)) continue;
      try {
        await this.#readAgain(address);
        this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: file }]);
      } catch (error) {
        // What is shown stays; nobody asked just now, so a line in the log is enough.
        const words = `The changed resource ${address.uri} could not be read again: ${errorText(error)}`;
        this.#services.log.forServer(serverId).write("warn", words);
      }
    }
  }

  /** A read that began before the news may show what was before them. */
  async #readAgain(address: ResourceAddress): Promise<void> {
    await this.#reads.get(addressKey(address))?.catch(() => undefined);
    await this.#read(address);
  }

  #put(address: ResourceAddress, contents: ResourceContents): KeptContent {
    const key = addressKey(address);
    const kept = { address, contents, bytes: contentBytes(contents), readAt: Date.now() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    let bytes = 0;
    for (const each of this.#kept.values()) bytes += each.bytes.length;
    for (const [oldest, { bytes: size }] of this.#kept) {
      if (oldest === key || (this.#kept.size <= MAX_KEPT && bytes <= MAX_KEPT_BYTES)) break;
      this.#kept.delete(oldest);
      bytes -= size.length;
    }
    return kept;
  }
}

async function readPart(
  pool: ServerPool,
  { serverId, uri, part, skill }: ResourceAddress,
): Promise<ResourceContents> {
  if (skill !== undefined) {
    return toContents((await pool.readSkill(serverId, { skill, file: uri }, { origin: "panel" })).result);
  }
  // A tab that comes back with the window asks while its server is still being connected.
  await untilSettled(pool, serverId);
  const { result } = await pool.readResource(serverId, uri, { origin: "panel" });
  const contents = result.contents[part];
  // A resource without contents is empty, not missing.
  return contents ?? { uri, text: "", raw: {} };
}
