/** The time is over, and the answer is not there. */
export class TooLate extends Error {
  constructor(within_ms: number) {
    super(`no answer within ${within_ms} ms`);
    this.name = 'TooLate';
  }
}

/**
 * The promise's outcome, or TooLate. Where this process itself stood still for so long, what has arrived
 * meanwhile is read before the answer is called late.
 */
export function within<T>(answer: Promise<T>, within_ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => reject(new TooLate(within_ms))); // after the sockets were read
    }, within_ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
