import { createHash } from "node:crypto";
import type * as vscode from "vscode";
import { addressKey, type ResourceAddress } from "./resourceAddress.ts";

const KEY = "signalbox.openedResources";
/** The newest of them; an older tab asks to be opened again. */
const MAX_REMEMBERED = 200;

/**
 * The resources that a person has opened in this workspace, as digests. A tab that comes back with the window may read
 * its resource again; a document that something else asks for may not, because reading is a request to the server.
 */
export interface OpenedByPerson {
  add(address: ResourceAddress): void;
  has(address: ResourceAddress): boolean;
}

/** Keeps them in the workspace's storage. */
export function createOpenedByPerson(memento: vscode.Memento): OpenedByPerson {
  const read = (): readonly string[] => {
    const stored = memento.get<unknown>(KEY);
    return Array.isArray(stored) ? stored.filter((each): each is string => typeof each === "string") : [];
  };
  return {
    add(address) {
      const digest = digestOf(address);
      const known = read();
      if (known.at(-1) === digest) return;
      void memento.update(KEY, [...known.filter((each) => each !== digest), digest].slice(-MAX_REMEMBERED));
    },
    has: (address) => read().includes(digestOf(address)),
  };
}

function digestOf(address: ResourceAddress): string {
  return createHash("sha256").update(addressKey(address)).digest("hex");
}
