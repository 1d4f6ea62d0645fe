import assert from "node:assert/strict";

import { EngineError } from "../../src/protocol/engineError.ts";
import type { JsonRpcRequest } from "../../src/protocol/jsonrpc/message.ts";
import type { ExchangeResult } from "../../src/protocol/transports/transport.ts";

/** A signal that is never aborted. */
export const never: AbortSignal = new AbortController().signal;

export function request(id = 1, method = "m"): JsonRpcRequest {
  return { jsonrpc: "2.0", id, method };
}

/** The result of a successful answer; undefined for an error. */
export function resultOf({ response }: ExchangeResult): unknown {
  return "result" in response ? response.result : undefined;
}

/** For `assert.rejects`: an engine error with this code, that passes a further test. */
export function engineError(
  code: string,
  test: (error: EngineError) => void = () => undefined,
): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof EngineError, String(error));
    assert.equal(error.code, code);
    test(error);
    return true;
  };
}
