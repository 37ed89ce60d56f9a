import type { Handler } from '@gatehouse/kit/rpc';
import type { EndBrowserSessionRequest, EndBrowserSessionResponse } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import type { Deps } from '../../deps.ts';
import { endBrowserSessions } from '../../store/sessions/browser-sessions.ts';

/** A caller without a session has no cookies to end. */
export function endBrowserSession({
  db,
}: Deps): Handler<EndBrowserSessionRequest, EndBrowserSessionResponse> {
  return async (_request, { caller: { kind, credential_id } }) => {
    if (kind === CallerKind.CALLER_KIND_SESSION) await endBrowserSessions(db, credential_id);
    return {};
  };
}
