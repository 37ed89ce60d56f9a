import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateBrowserSessionRequest, CreateBrowserSessionResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { sealToken } from '../../sessions/sealed-token.ts';
import { signInCookie } from '../../sessions/sign-in-cookie.ts';
import { newSecret, tokenHash } from '../../sessions/token.ts';
import { insertBrowserSession, lockSessionOfToken } from '../../store/sessions/browser-sessions.ts';

/** The token must be that of the caller's session: it is what the cookie gives back. */
export function createBrowserSession({
  db,
}: Deps): Handler<CreateBrowserSessionRequest, CreateBrowserSessionResponse> {
  return async ({ token, stay_signed_in }, { caller }) => {
    const { session_id } = requireSession(caller);
    const secret = newSecret();
    const browserSession = {
      secret_hash: tokenHash(secret),
      session_id,
      sealed_token: sealToken(token, secret, session_id),
      stay_signed_in: stay_signed_in ?? false,
    };
    await inTransaction(db, async (tx) => {
      if (!(await lockSessionOfToken(tx, session_id, tokenHash(token)))) throw unauthorized();
      await insertBrowserSession(tx, browserSession);
    });
    return { cookie: signInCookie(secret, browserSession) };
  };
}
