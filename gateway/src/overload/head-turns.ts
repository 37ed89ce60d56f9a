/** From this many parsed bytes of a head on, the rest waits for its turn. */
export const LONG_HEAD_BYTES = 4 * 1024;
/** Maximum connections that parse one slice of a long head in the same turn of the event loop. */
const HEADS_PER_TURN = 8;

interface Resumable {
  resume(): void;
}

/**
 * Limits the long heads that are parsed in one turn of the event loop. Otherwise thousands that arrive at once would be
 * parsed in one turn, and short requests would wait for them at each of their steps.
 */
export class HeadTurns {
  readonly #parsing = new Set<Resumable>();
  readonly #waiting = new Set<Resumable>();
  #isScheduled = false;

  /** Whether the next slice of this connection's head may be parsed now. If not, the connection is resumed later. */
  hasTurn(connection: Resumable): boolean {
    if (this.#parsing.has(connection)) return true;
    this.#schedule();
    if (this.#parsing.size < HEADS_PER_TURN) this.#parsing.add(connection);
    else this.#waiting.add(connection);
    return this.#parsing.has(connection);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#isScheduled = false;
    this.#parsing.clear();
    for (const connection of [...this.#waiting.values().take(HEADS_PER_TURN)]) {
      this.#waiting.delete(connection);
      connection.resume();
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}
