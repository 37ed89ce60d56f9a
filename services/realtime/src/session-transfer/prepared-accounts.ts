import type { Arrival } from './arrivals.ts';

/** Accounts whose sessions another replica is about to give. */
export interface PreparedAccounts {
  add(account_id: string, arrival: Arrival): void;
  /** Undefined: it was not prepared, or too long ago. */
  take(account_id: string): Arrival | undefined;
  close(): void;
}

/** What has not come by then does not come. */
const WITHIN_MS = 10_000;

export function preparedAccounts(): PreparedAccounts {
  const waiting = new Map<string, { arrival: Arrival; timer: NodeJS.Timeout }[]>();

  function take(account_id: string): Arrival | undefined {
    const all = waiting.get(account_id);
    const first = all?.shift();
    if (all?.length === 0) waiting.delete(account_id);
    clearTimeout(first?.timer);
    return first?.arrival;
  }

  return {
    add: (account_id, arrival) => {
      const timer = setTimeout(() => take(account_id)?.end(), WITHIN_MS);
      const all = waiting.get(account_id);
      if (all === undefined) waiting.set(account_id, [{ arrival, timer }]);
      else all.push({ arrival, timer });
    },
    take,
    close: () => {
      for (const all of waiting.values())
        for (const { arrival, timer } of all) {
          clearTimeout(timer);
          arrival.end();
        }
      waiting.clear();
    },
  };
}
