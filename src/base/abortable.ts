/**
 * Waits for a promise no longer than a signal allows: rejects with the signal's reason when it is aborted first.
 * The work behind the promise goes on; what comes of it then is nobody's concern.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason as Error);
    };
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", onAbort);
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** A promise that has failed already, where a function that waits for nothing must not throw. */
export function rejected(reason: Error): Promise<never> {
  return Promise.reject(reason);
}
