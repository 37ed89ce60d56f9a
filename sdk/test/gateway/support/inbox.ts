const WITHIN_MS = 10_000;

/** Values in the order of their arrival. */
export class Inbox<T> {
  readonly #what: string;
  readonly #values: T[] = [];
  readonly #waiting: ((value: T) => void)[] = [];

  constructor(what: string) {
    this.#what = what;
  }

  get size(): number {
    return this.#values.length;
  }

  put(value: T): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#values.push(value);
    else waiting(value);
  }

  /** Waits for the next value. */
  async next(): Promise<T> {
    const value = this.#values.shift();
    if (value !== undefined) return value;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#what} did not arrive in time`)), WITHIN_MS);
      this.#waiting.push((arrived) => {
        clearTimeout(timer);
        resolve(arrived);
      });
    });
  }
}
