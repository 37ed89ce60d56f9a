import type { Delivery } from './webhook.ts';

const ATTEMPTS = 6;
const PAUSE_MS = 1_000;

/**
 * Loads deliveries until one of them has the ID, for some seconds: the server records a delivery after it has answered.
 *
 * @returns the deliveries of the last load, or undefined if the signal has aborted
 */
export async function untilListed(
  load: () => Promise<readonly Delivery[]>,
  id: string,
  signal: AbortSignal,
  pause_ms = PAUSE_MS,
): Promise<readonly Delivery[] | undefined> {
  let found: readonly Delivery[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, pause_ms));
    if (signal.aborted) return undefined;
    found = await load();
    if (found.some((delivery) => delivery.id === id)) break;
  }
  return signal.aborted ? undefined : found;
}
