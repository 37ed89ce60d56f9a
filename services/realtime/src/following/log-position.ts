import type { Position } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast, type Snapshot } from '@gatehouse/kit/event-log/snapshot';

/** The position in chat's log up to which events are delivered. */
export class LogPosition {
  readonly #waiting = new Set<() => void>();
  #cursor: string | undefined;
  #seen: Snapshot | undefined;
  /** Within a page, the cursor's snapshot lacks events that are already delivered. */
  #isMidPage = false;
  #isMoving = false;

  /** A response's events are being delivered. */
  beginMove(): void {
    this.#isMoving = true;
  }

  /** The response's events are delivered. */
  endMove(cursor: string, { seen, page }: Position): void {
    this.#cursor = cursor;
    this.#seen = seen;
    this.#isMidPage = page !== undefined;
    this.#isMoving = false;
    for (const check of [...this.#waiting]) check();
  }

  /** The position is unknown until the next response. */
  reset(): void {
    this.#cursor = undefined;
    this.#seen = undefined;
  }

  /** Runs `act` between two responses, once every event up to `after` is delivered. @throws the signal's reason */
  betweenTransactions<T>(signal: AbortSignal, act: (cursor: string) => T, after?: Snapshot): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const abort = (): void => {
      this.#waiting.delete(check);
      reject(signal.reason as Error);
    };
    const check = (): void => {
      const cursor = this.#cursorPast(after);
      if (cursor === undefined) return;
      this.#waiting.delete(check);
      signal.removeEventListener('abort', abort);
      try {
        resolve(act(cursor));
      } catch (error) {
        reject(error as Error); // a failure of `act`, not of the log
      }
    };
    signal.addEventListener('abort', abort);
    this.#waiting.add(check);
    check();
    if (signal.aborted) abort();
    return promise;
  }

  /** Whether every event up to the snapshot is delivered. */
  isPast(after: Snapshot): boolean {
    return this.#cursorPast(after) !== undefined;
  }

  /** The cursor, if it lies between two transactions and past the snapshot. */
  #cursorPast(after: Snapshot | undefined): string | undefined {
    if (this.#isMoving || this.#isMidPage || this.#seen === undefined) return undefined;
    return after === undefined || isAtLeast(this.#seen, after) ? this.#cursor : undefined;
  }
}
