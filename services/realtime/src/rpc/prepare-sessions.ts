import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast } from '@gatehouse/kit/event-log/snapshot';
import type { Handler } from '@gatehouse/kit/rpc';
import type { PrepareSessionsRequest, PrepareSessionsResponse } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';
import { badRequest, stopping } from '../errors.ts';
import type { PreparedAccount } from '../session-transfer/prepared-account.ts';

const MAX_ACCOUNTS = 1000;

export function prepareSessions({
  prepareAccount,
  prepared,
  isDraining,
}: Deps): Handler<PrepareSessionsRequest, PrepareSessionsResponse> {
  return async ({ account_ids }) => {
    if (account_ids.length === 0 || account_ids.length > MAX_ACCOUNTS)
      throw badRequest('Between 1 and 1,000 accounts can be prepared.');
    if (isDraining()) throw stopping();
    const ids = [...new Set(account_ids)];
    const accounts = await allOrNone(ids.map(prepareAccount));
    for (const [index, account] of accounts.entries()) prepared.add(ids[index] ?? '', account);
    return { cursor: accounts.map(({ cursor }) => cursor).reduce(later) };
  };
}

/** If one fails, the others are ended. */
async function allOrNone(preparing: readonly Promise<PreparedAccount>[]): Promise<PreparedAccount[]> {
  try {
    return await Promise.all(preparing);
  } catch (error) {
    for (const settled of await Promise.allSettled(preparing))
      if (settled.status === 'fulfilled') settled.value.end();
    throw error;
  }
}

function later(one: string, other: string): string {
  return isAtLeast(readCursor(one).seen, readCursor(other).seen) ? one : other;
}
