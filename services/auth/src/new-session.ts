import type { Caller } from '@gatehouse/proto/kit/calls';
import type { NewSession } from './store/sessions.ts';
import { newSessionToken, tokenHash } from './token.ts';

/** A token, shown once, and the session that is kept of it. */
export function newSession(id: string, caller: Caller): { token: string; session: NewSession } {
  const token = newSessionToken();
  return {
    token,
    session: {
      id,
      token_hash: tokenHash(token),
      ip: caller.ip === '' ? null : caller.ip,
      user_agent: caller.user_agent === '' ? null : caller.user_agent,
    },
  };
}
