import type { Handler } from '@gatehouse/kit/rpc';
import type { LogoutRequest, LogoutResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { deleteSession } from '../store/sessions.ts';

export function logout({ db }: Deps): Handler<LogoutRequest, LogoutResponse> {
  return async (_request, { caller }) => {
    const { account_id, session_id } = requireSession(caller);
    await deleteSession(db, session_id, account_id);
    return {};
  };
}
