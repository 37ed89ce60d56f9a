import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import { type AuthorizationKey, deleteSurplusTokens } from '../store/surplus-tokens.ts';

/** Maximum authorizations in the queue. Those over the limit are checked at a later exchange. */
const MAX_WAITING = 10_000;

/**
 * Deletes surplus tokens in the background, after the exchanges have committed and so without failing them.
 * Authorizations that get tokens during a check are queued for the next one.
 */
export class SurplusTokens {
  readonly #db: Pool;
  readonly #log: Logger;
  readonly #waiting = new Map<string, AuthorizationKey>();
  #checking: Promise<void> | undefined;

  constructor(db: Pool, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Deletes the oldest tokens of these authorizations if they have too many. */
  check(authorizations: readonly AuthorizationKey[]): void {
    for (const authorization of authorizations) {
      if (this.#waiting.size >= MAX_WAITING) break;
      const { account_id, application_id } = authorization;
      this.#waiting.set(`${account_id} ${application_id}`, authorization);
    }
    if (this.#waiting.size > 0) this.#checking ??= this.#checkAll();
  }

  async close(): Promise<void> {
    await this.#checking;
  }

  async #checkAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const authorizations = [...this.#waiting.values()];
      this.#waiting.clear();
      await deleteSurplusTokens(this.#db, authorizations).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'surplus tokens stay until a later exchange checks them'),
      );
    }
    this.#checking = undefined;
  }
}
