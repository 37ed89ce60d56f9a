import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';

const withdrawn = new WeakSet<Check>();

/** The caller does not wait for this check any more. It is made only if it has been sent to the store already. */
export function withdraw(check: Check): void {
  withdrawn.add(check);
}

export function isWithdrawn(check: Check): boolean {
  return withdrawn.has(check);
}
