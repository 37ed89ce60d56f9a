import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AcceptSessionsRequest, AcceptSessionsResponse } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';

export function acceptSessions({ prepared }: Deps): Handler<AcceptSessionsRequest, AcceptSessionsResponse> {
  return async ({ sessions, cursor }) => {
    readCursor(cursor);
    for (const [account_id, given] of Map.groupBy(sessions, (session) => session.account_id)) {
      const arrival = prepared.take(account_id);
      if (arrival === undefined) throw badRequest('The account was not prepared.');
      try {
        for (const session of given) await arrival.accept(session, cursor);
      } finally {
        arrival.end();
      }
    }
    return {};
  };
}
