import { isJsonObject } from "../../base/json.ts";
import type { JsonRpcNotification } from "../jsonrpc/message.ts";
import type { ServerNotice } from "../model/notice.ts";

/** The notice in a notification about something that changed; undefined for other ones and for broken ones. */
export function readChangeNotice({ method, params }: JsonRpcNotification): ServerNotice | undefined {
  switch (method) {
    case "notifications/tools/list_changed":
      return { kind: "list-changed", list: "tools" };
    case "notifications/prompts/list_changed":
      return { kind: "list-changed", list: "prompts" };
    case "notifications/resources/list_changed":
      return { kind: "list-changed", list: "resources" };
    case "notifications/resources/updated": {
      const uri = params?.["uri"];
      return typeof uri === "string" ? { kind: "resource-updated", uri } : undefined;
    }
    case "notifications/tasks":
    case "notifications/tasks/status":
      return isJsonObject(params) ? { kind: "task", task: params } : undefined;
    default:
      return undefined;
  }
}
