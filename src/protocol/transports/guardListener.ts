import { errorText } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { TransportListener } from "./transport.ts";

/** A listener that throws is logged, and does not take the reading of the stream down with it. */
export function guardListener(listener: TransportListener, log: Log): TransportListener {
  const guard = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      log.write("error", `Handling a message failed: ${errorText(error)}`);
    }
  };
  return {
    onNotification: (message, relatedTo) => {
      guard(() => {
        listener.onNotification(message, relatedTo);
      });
    },
    onRequest: (message, relatedTo) => {
      guard(() => {
        listener.onRequest(message, relatedTo);
      });
    },
    onClosed: (reason) => {
      guard(() => {
        listener.onClosed(reason);
      });
    },
  };
}
