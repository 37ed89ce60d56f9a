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
export async function orTimeout<T>(promise: Promise<T>, timeout_ms: number): Promise<T> {
  const [outcome] = await allSettledOrTimeout([promise], timeout_ms);
  if (outcome?.status === 'fulfilled') return outcome.value;
  throw outcome?.reason;
}

/** Each promise's outcome; a TimeoutError for those that have not settled in time. */
export function allSettledOrTimeout<T>(
  promises: readonly Promise<T>[],
  timeout_ms: number,
): Promise<readonly PromiseSettledResult<T>[]> {
  return new Promise((resolve) => {
    const outcomes: (PromiseSettledResult<T> | undefined)[] = promises.map(() => undefined);
    let pending = promises.length;
    const timer = setTimeout(() => setImmediate(end), timeout_ms); // after the sockets are read

    function settled(index: number, outcome: PromiseSettledResult<T>): void {
      outcomes[index] = outcome;
      if (--pending === 0) end();
    }

    function end(): void {
      clearTimeout(timer);
      resolve(outcomes.map((outcome) => outcome ?? timedOut(timeout_ms)));
    }

    for (const [index, promise] of promises.entries()) {
      promise.then(
        (value) => settled(index, { status: 'fulfilled', value }),
        (reason: unknown) => settled(index, { status: 'rejected', reason }),
      );
    }
    if (pending === 0) end();
  });
}

/** An error's stack takes long to record, so there is none before the time is up. */
function timedOut(timeout_ms: number): PromiseRejectedResult {
  return { status: 'rejected', reason: new TimeoutError(timeout_ms) };
}
