import { compareTimes, type SentTime } from '@gatehouse/kit/iso-8601';
import type { JsonObject } from '../execution/json-object.ts';
import { timeAt } from './time.ts';

/**
 * The most recently created update, in any position. An update without a time counts as the oldest. The first of
 * several with the same time wins.
 */
export function latestUpdate(updates: readonly JsonObject[]): JsonObject | undefined {
  let latest: JsonObject | undefined;
  let latestTime: SentTime | undefined;
  for (const update of updates) {
    const time = timeAt(update, 'created_at');
    if (latest === undefined || isLater(time, latestTime)) {
      latest = update;
      latestTime = time;
    }
  }
  return latest;
}

function isLater(time: SentTime | undefined, than: SentTime | undefined): boolean {
  return time !== undefined && (than === undefined || compareTimes(time, than) > 0);
}
