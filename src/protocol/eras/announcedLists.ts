import { isJsonObject } from "../../base/json.ts";
import type { ListName } from "../model/listing.ts";
import type { ServerCapabilities } from "../model/server.ts";

const LISTS: readonly ListName[] = ["tools", "prompts", "resources"];

/** The lists of which a server says that it tells when they change. */
export function announcedLists(capabilities: ServerCapabilities): readonly ListName[] {
  return LISTS.filter((list) => {
    const announced = capabilities[list];
    return isJsonObject(announced) && announced["listChanged"] === true;
  });
}

/** Whether a server says that single resources can be watched. */
export function announcesWatching(capabilities: ServerCapabilities): boolean {
  const { resources } = capabilities;
  return isJsonObject(resources) && resources["subscribe"] === true;
}
