import { setTimeout as sleep } from 'node:timers/promises';

const WITHIN_MS = 10_000;

/**
 * Waits until the condition holds.
 *
 * @throws after the timeout
 */
export async function until(holds: () => boolean): Promise<void> {
  const end_ms = performance.now() + WITHIN_MS;
  while (!holds()) {
    if (performance.now() > end_ms) throw new Error(`never held: ${holds}`);
    await sleep(2);
  }
}
