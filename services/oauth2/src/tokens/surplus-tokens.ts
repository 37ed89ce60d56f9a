import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import { deleteSurplusTokens, type GrantKey } from '../store/surplus-tokens.ts';

/** Maximum grants in the queue. Grants over the limit are checked at their next exchange. */
const MAX_WAITING = 10_000;

/**
 * Deletes surplus tokens in the background, after the exchanges have committed and so without failing them. Grants that
 * get tokens during a check are queued for the next one.
 */
export class SurplusTokens {
  readonly #db: Pool;
  readonly #log: Logger;
  readonly #waiting = new Map<string, GrantKey>();
  #checking: Promise<void> | undefined;

  constructor(db: Pool, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Deletes the oldest tokens of these grants if they have too many. */
  check(grants: readonly GrantKey[]): void {
    for (const grant of grants) {
      if (this.#waiting.size >= MAX_WAITING) break;
      const { account_id, application_id } = grant;
      this.#waiting.set(`${account_id} ${application_id}`, grant);
    }
    if (this.#waiting.size > 0) this.#checking ??= this.#checkAll();
  }

  async close(): Promise<void> {
    await this.#checking;
  }

  async #checkAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const grants = [...this.#waiting.values()];
      this.#waiting.clear();
      await deleteSurplusTokens(this.#db, grants).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'surplus tokens stay until the next exchange'),
      );
    }
    this.#checking = undefined;
  }
}
