/** A promise did not settle in time. */
export class TimeoutError extends Error {
  constructor(timeout_ms: number) {
    super(`no answer within ${timeout_ms} ms`);
    this.name = 'TimeoutError';
  }
}

/**
 * The promise's outcome, or a TimeoutError. If the event loop was blocked for that long, answers that have arrived
 * meanwhile are still in time.
 */
export function orTimeout<T>(promise: Promise<T>, timeout_ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => reject(new TimeoutError(timeout_ms))); // after the sockets are read
    }, timeout_ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Each promise's outcome; a TimeoutError for those that have not settled in time. */
export async function allSettledOrTimeout<T>(
  promises: readonly Promise<T>[],
  timeout_ms: number,
): Promise<PromiseSettledResult<T>[]> {
  const timedOut: PromiseRejectedResult = { status: 'rejected', reason: new TimeoutError(timeout_ms) };
  const outcomes = new Array<PromiseSettledResult<T>>(promises.length).fill(timedOut);
  const all = promises.map((promise, i) =>
    promise.then(
      (value) => {
        outcomes[i] = { status: 'fulfilled', value };
      },
      (reason: unknown) => {
        outcomes[i] = { status: 'rejected', reason };
      },
    ),
  );
  await orTimeout(Promise.all(all), timeout_ms).catch(() => undefined); // the outcomes have each timeout
  return [...outcomes];
}
