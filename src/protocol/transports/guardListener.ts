import { errorText } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { TransportListener } from "./transport.ts";

/** A listener that throws is logged, and does not take the reading of the stream down with it. */
export function guardListener(listener: TransportListener, log: Log): TransportListener {
  const report = (error: unknown): void => {
    log.write("error", `Handling a message failed: ${errorText(error)}`);
  };
  return {
    onNotification: (message, relatedTo) => {
      try {
        listener.onNotification(message, relatedTo);
      } catch (error) {
        report(error);
      }
    },
    onRequest: (message, relatedTo) => {
      try {
        listener.onRequest(message, relatedTo);
      } catch (error) {
        report(error);
      }
    },
    onClosed: (reason) => {
      try {
        listener.onClosed(reason);
      } catch (error) {
        report(error);
      }
    },
  };
}
