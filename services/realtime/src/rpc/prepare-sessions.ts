import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast } from '@gatehouse/kit/event-log/snapshot';
import type { Handler } from '@gatehouse/kit/rpc';
import type { PrepareSessionsRequest, PrepareSessionsResponse } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';
import { badRequest, stopping } from '../errors.ts';
import type { Arrival } from '../session-transfer/arrivals.ts';

const MAX_ACCOUNTS = 1000;

export function prepareSessions({
  arrive,
  prepared,
  isDraining,
}: Deps): Handler<PrepareSessionsRequest, PrepareSessionsResponse> {
  return async ({ account_ids }) => {
    if (account_ids.length === 0 || account_ids.length > MAX_ACCOUNTS)
      throw badRequest('Between 1 and 1,000 accounts can be prepared.');
    if (isDraining()) throw stopping();
    const ids = [...new Set(account_ids)];
    const arrivals = await all(ids.map(arrive));
    for (const [index, arrival] of arrivals.entries()) prepared.add(ids[index] ?? '', arrival);
    return { cursor: arrivals.map(({ cursor }) => cursor).reduce(later) };
  };
}

/** All, or none: those that have come are let go of where another fails. */
async function all(coming: readonly Promise<Arrival>[]): Promise<Arrival[]> {
  try {
    return await Promise.all(coming);
  } catch (error) {
    for (const settled of await Promise.allSettled(coming))
      if (settled.status === 'fulfilled') settled.value.end();
    throw error;
  }
}

function later(one: string, other: string): string {
  return isAtLeast(readCursor(one).seen, readCursor(other).seen) ? one : other;
}
