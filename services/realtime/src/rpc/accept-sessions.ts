import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AcceptSessionsRequest, AcceptSessionsResponse } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';
import { badRequest, stopping } from '../errors.ts';
import type { PreparedAccount } from '../session-transfer/prepared-account.ts';
import type { Session } from '../sessions/session.ts';

/** By ID; undefined for an account that was not prepared. */
type PreparedById = ReadonlyMap<string, PreparedAccount | undefined>;

/** Accepts all sessions or none: refused sessions are transferred to another replica. */
export function acceptSessions(deps: Deps): Handler<AcceptSessionsRequest, AcceptSessionsResponse> {
  return async (request) => {
    readCursor(request.cursor);
    const account_ids = new Set(request.sessions.map(({ account_id }) => account_id));
    const accounts: PreparedById = new Map(Array.from(account_ids, (id) => [id, deps.prepared.take(id)]));
    try {
      await acceptAll(deps, request, accounts);
      return {};
    } finally {
      for (const account of accounts.values()) account?.end();
    }
  };
}

async function acceptAll(
  { registry, isDraining }: Deps,
  { sessions, cursor }: AcceptSessionsRequest,
  accounts: PreparedById,
): Promise<void> {
  const accepted: Session[] = [];
  try {
    if (isDraining()) throw stopping();
    for (const session of sessions) {
      const account = accounts.get(session.account_id);
      if (account === undefined) throw badRequest('An account was not prepared.');
      if (registry.get(session.id) === undefined) accepted.push(await account.accept(session, cursor));
    }
  } catch (error) {
    // Sessions that were resumed here meanwhile stay.
    for (const session of accepted)
      if (session.connection === undefined && registry.has(session)) registry.end(session);
    throw error;
  }
}
