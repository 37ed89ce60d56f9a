import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AcceptSessionsRequest, AcceptSessionsResponse } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';
import { badRequest, stopping } from '../errors.ts';
import type { Arrival } from '../session-transfer/arrivals.ts';
import type { Session } from '../sessions/session.ts';

/** All of them, or none: what is refused is given to another replica. */
export function acceptSessions({
  prepared,
  registry,
  isDraining,
}: Deps): Handler<AcceptSessionsRequest, AcceptSessionsResponse> {
  type Arrivals = ReadonlyMap<string, Arrival | undefined>;

  async function acceptAll({ sessions, cursor }: AcceptSessionsRequest, arrivals: Arrivals): Promise<void> {
    const accepted: Session[] = [];
    try {
      if (isDraining()) throw stopping();
      for (const session of sessions) {
        const arrival = arrivals.get(session.account_id);
        if (arrival === undefined) throw badRequest('An account was not prepared.');
        if (registry.get(session.id) === undefined) accepted.push(await arrival.accept(session, cursor));
      }
    } catch (error) {
      // Those that have a client again meanwhile stay.
      for (const session of accepted)
        if (session.connection === undefined && registry.has(session)) registry.end(session);
      throw error;
    }
  }

  return async (request) => {
    readCursor(request.cursor);
    const account_ids = new Set(request.sessions.map(({ account_id }) => account_id));
    const arrivals: Arrivals = new Map(Array.from(account_ids, (id) => [id, prepared.take(id)]));
    try {
      await acceptAll(request, arrivals);
      return {};
    } finally {
      for (const arrival of arrivals.values()) arrival?.end();
    }
  };
}
