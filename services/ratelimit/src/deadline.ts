/** The deadline has passed without an answer. */
export class TooLate extends Error {
  constructor(within_ms: number) {
    super(`no answer within ${within_ms} ms`);
    this.name = 'TooLate';
  }
}

/**
 * The promise's outcome, or TooLate. If this process itself stood still for that long, it reads the answers that have
 * arrived before it calls one late.
 */
export function within<T>(answer: Promise<T>, within_ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => reject(new TooLate(within_ms))); // after the sockets were read
    }, within_ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Each promise's outcome; TooLate for those without one in time. */
export async function eachWithin<T>(
  answers: readonly Promise<T>[],
  within_ms: number,
): Promise<PromiseSettledResult<T>[]> {
  const late: PromiseRejectedResult = { status: 'rejected', reason: new TooLate(within_ms) };
  const outcomes = new Array<PromiseSettledResult<T>>(answers.length).fill(late);
  const all = answers.map((answer, i) =>
    answer.then(
      (value) => {
        outcomes[i] = { status: 'fulfilled', value };
      },
      (reason: unknown) => {
        outcomes[i] = { status: 'rejected', reason };
      },
    ),
  );
  await within(Promise.all(all), within_ms).catch(() => undefined); // each late promise is handled by itself
  return [...outcomes];
}
