import type { Pool, PoolClient } from 'pg';
import { cutConnection } from './cut-connection.ts';

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, ...rest: unknown[]) => void;

/**
 * Closes a connection whose open statements get no answer for `timeout_ms`: they fail, and the pool opens another one.
 *
 * pg's `query_timeout` would set a function on each query. V8 allocates functions that are set on a property in the old
 * generation, where this one would keep query, values and rows until a full garbage collection.
 */
export function limitStatements(pool: Pool, timeout_ms: number, onLost: () => void): void {
  pool.on('connect', (client) => {
    const open = new OpenStatements(timeout_ms, () => {
      onLost();
      cutConnection(client);
    });
    const query = client.query.bind(client) as Query; // the other overloads are not used here
    client.query = observed(query, open) as PoolClient['query'];
  });
}

function observed(query: Query, open: OpenStatements): Query {
  const answered = (): void => open.answered();
  return (...args) => {
    const last = args.at(-1);
    if (typeof last === 'function') {
      const callback = last as Callback;
      const answer: Callback = (error, ...rest) => {
        open.answered();
        callback(error, ...rest);
      };
      const sent = query(...args.slice(0, -1), answer); // throws for a caller's mistake
      open.sent();
      return sent;
    }
    const answer = query(...args);
    if (answer instanceof Promise) {
      open.sent();
      answer.then(answered, answered);
    }
    return answer;
  };
}

/** The open statements of a connection. One timer watches all of them, because most are answered long before it. */
class OpenStatements {
  readonly #timeout_ms: number;
  readonly #onTimeout: () => void;
  #count = 0;
  /** When the last one was answered, or the first one sent. */
  #since_ms = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout_ms: number, onTimeout: () => void) {
    this.#timeout_ms = timeout_ms;
    this.#onTimeout = onTimeout;
  }

  sent(): void {
    if (this.#count === 0) this.#since_ms = performance.now();
    this.#count++;
    this.#timer ??= this.#checkIn(this.#timeout_ms);
  }

  answered(): void {
    this.#count--;
    this.#since_ms = performance.now();
  }

  #checkIn(ms: number): NodeJS.Timeout {
    return setTimeout(this.#check, ms).unref(); // the connection keeps the process alive
  }

  readonly #check = (): void => {
    this.#timer = undefined;
    if (this.#count === 0) return;
    const left_ms = this.#since_ms + this.#timeout_ms - performance.now();
    if (left_ms > 0) this.#timer = this.#checkIn(left_ms);
    else this.#onTimeout();
  };
}
