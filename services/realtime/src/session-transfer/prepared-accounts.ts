import type { PreparedAccount } from './prepared-account.ts';

/** Sessions that have not arrived by then are not expected any more. */
const PREPARED_KEPT_MS = 10_000;

interface Waiting {
  readonly prepared: PreparedAccount;
  readonly timer: NodeJS.Timeout;
}

/** Accounts that wait for sessions of another replica. */
export class PreparedAccounts {
  readonly #waiting = new Map<string, Waiting[]>();

  add(account_id: string, prepared: PreparedAccount): void {
    const timer = setTimeout(() => this.take(account_id)?.end(), PREPARED_KEPT_MS);
    const waiting = this.#waiting.get(account_id);
    if (waiting === undefined) this.#waiting.set(account_id, [{ prepared, timer }]);
    else waiting.push({ prepared, timer });
  }

  /** Undefined if the account was not prepared, or too long ago. */
  take(account_id: string): PreparedAccount | undefined {
    const waiting = this.#waiting.get(account_id);
    const first = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(account_id);
    clearTimeout(first?.timer);
    return first?.prepared;
  }

  close(): void {
    for (const waiting of this.#waiting.values())
      for (const { prepared, timer } of waiting) {
        clearTimeout(timer);
        prepared.end();
      }
    this.#waiting.clear();
  }
}
