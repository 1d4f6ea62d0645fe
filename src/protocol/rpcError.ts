import type { JsonValue } from "../base/json.ts";
import type { JsonRpcErrorObject } from "./jsonrpc/message.ts";
import { shorten } from "./shorten.ts";

/** Numeric codes with a meaning of their own. @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** In the legacy era only; the modern era has `invalidParams` for it. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  urlElicitationRequired: -32042,
  /** Sent by us: a person did not let a legacy server use a model. */
  userRejected: -1,
} as const;

/** Characters of a server's message that are kept: it is shown to persons and models. */
const MAXIMUM_MESSAGE = 2_000;

/** An error that the server sent as the answer to a request: its words, untrusted. */
export class RpcError extends Error {
  readonly rpcCode: number;
  readonly data: JsonValue | undefined;
  readonly method: string;
  readonly httpStatus: number | undefined;

  constructor(method: string, error: JsonRpcErrorObject, httpStatus?: number) {
    const said = typeof error.message === "string" ? error.message : "";
    super(said === "" ? `Error ${String(error.code)}` : shorten(said, MAXIMUM_MESSAGE));
    this.name = "RpcError";
    this.rpcCode = error.code;
    this.data = error.data;
    this.method = method;
    this.httpStatus = httpStatus;
  }
}
