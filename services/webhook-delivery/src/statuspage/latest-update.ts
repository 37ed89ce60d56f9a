import type { Untyped } from '../execution/untyped.ts';
import { timeAt } from './time.ts';

/**
 * The update that was created last, wherever it stands. One without a time is older than all others, and of
 * several with the same time it is the first.
 */
export function latestUpdate(updates: readonly Untyped[]): Untyped | undefined {
  let latest: Untyped | undefined;
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const update of updates) {
    const ms = timeAt(update, 'created_at') ?? Number.NEGATIVE_INFINITY;
    if (latest === undefined || ms > latestMs) {
      latest = update;
      latestMs = ms;
    }
  }
  return latest;
}
