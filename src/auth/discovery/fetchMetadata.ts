import { type JsonObject, parseJsonObject } from "../../base/json.ts";
import { redactUrl } from "../../base/redact.ts";
import { NetError } from "../../net/netError.ts";
import { cleanText } from "../cleanText.ts";
import { isOutage } from "./issuerOutage.ts";
import type { AuthContext } from "../model/authContext.ts";

/** What became of looking for metadata at one address. */
export type MetadataReply =
  | { readonly kind: "document"; readonly document: JsonObject }
  | { readonly kind: "redirect"; readonly reason: string }
  /** A status of 4xx: it is not there. */
  | { readonly kind: "missing"; readonly reason: string }
  /** There is something else, or a fault that may pass; `error` when no answer came. */
  | {
      readonly kind: "unusable";
      readonly reason: string;
      readonly error?: NetError;
      /** The server says that it is out of order. */
      readonly isOutage?: boolean;
    };

/**
 * Asks one address for a JSON object. The network bounds size and time; redirects are not followed. Rejects with the
 * NetError of whatever concerns the host as a whole, and with the signal's reason.
 */
export async function fetchMetadata(context: AuthContext, url: URL): Promise<MetadataReply> {
  const reply = await ask(context, url);
  const outcome = reply.kind === "document" ? "found" : reply.reason;
  context.log.write("debug", `Authorization metadata at ${showAddress(url.href)}: ${outcome}`);
  return reply;
}

async function ask({ network, zone, signal }: AuthContext, url: URL): Promise<MetadataReply> {
  signal.throwIfAborted();
  const headers = { accept: "application/json" };
  try {
    const answer = await network.send({ method: "GET", url: url.href, headers, from: zone, signal });
    return readAnswer(answer.status, answer.body);
  } catch (error) {
    // A fault of one answer: another address of the same host may do better, unlike after all other faults.
    if (!(error instanceof NetError) || signal.aborted || !error.mayHaveRun) throw error;
    return { kind: "unusable", reason: error.message, error };
  }
}

function readAnswer(status: number, body: string): MetadataReply {
  if (status >= 300 && status < 400)
    return { kind: "redirect", reason: `HTTP ${status}, and redirects are not followed` };
  if (isOutage(status)) return { kind: "unusable", reason: `HTTP ${status}`, isOutage: true };
  if (status >= 400 && status < 500) return { kind: "missing", reason: `HTTP ${status}` };
  if (status !== 200) return { kind: "unusable", reason: `HTTP ${status}` };
  const document = parseJsonObject(body);
  return document === undefined
    ? { kind: "unusable", reason: "it is not a JSON object" }
    : { kind: "document", document };
}

/** An address as it is shown and logged: without what may be a credential, on one line. */
export function showAddress(text: string): string {
  return cleanText(redactUrl(text.slice(0, 1_000)), 300);
}
