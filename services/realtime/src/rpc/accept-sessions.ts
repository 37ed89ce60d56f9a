import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AcceptSessionsRequest, AcceptSessionsResponse } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';
import { badRequest, stopping } from '../errors.ts';
import type { Session } from '../sessions/session.ts';

/** All of them, or none: what is refused is given to another replica. */
export function acceptSessions({
  prepared,
  registry,
  isDraining,
}: Deps): Handler<AcceptSessionsRequest, AcceptSessionsResponse> {
  return async ({ sessions, cursor }) => {
    readCursor(cursor);
    const account_ids = new Set(sessions.map(({ account_id }) => account_id));
    const arrivals = new Map(Array.from(account_ids, (id) => [id, prepared.take(id)]));
    const accepted: Session[] = [];
    try {
      if (isDraining()) throw stopping();
      for (const session of sessions) {
        const arrival = arrivals.get(session.account_id);
        if (arrival === undefined) throw badRequest('An account was not prepared.');
        if (registry.get(session.id) === undefined) accepted.push(await arrival.accept(session, cursor));
      }
    } catch (error) {
      accepted.forEach(giveUp);
      throw error;
    } finally {
      for (const arrival of arrivals.values()) arrival?.end();
    }
    return {};
  };

  /** One that has a client again meanwhile stays. */
  function giveUp(session: Session): void {
    if (session.connection === undefined && registry.has(session)) registry.end(session);
  }
}
