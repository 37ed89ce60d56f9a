import type { Handler } from '@gatehouse/kit/rpc';
import type { ListSessionsRequest, ListSessionsResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { sessionViews } from '../../sessions/session-view.ts';
import { findSessions } from '../../store/sessions/sessions.ts';

const MAX_LISTED_SESSIONS = 1000;

export function listSessions({ db, config }: Deps): Handler<ListSessionsRequest, ListSessionsResponse> {
  return async (_request, { caller }) => {
    const { account_id, session_id } = requireSession(caller);
    const sessions = await findSessions(db, account_id, MAX_LISTED_SESSIONS, config);
    return { sessions: await sessionViews(sessions, session_id) };
  };
}
