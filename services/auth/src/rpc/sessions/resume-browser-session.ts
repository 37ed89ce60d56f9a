import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ResumeBrowserSessionRequest, ResumeBrowserSessionResponse } from '@gatehouse/proto/auth';
import { currentUser } from '../../accounts/account-view.ts';
import type { Deps } from '../../deps.ts';
import { openToken } from '../../sessions/sealed-token.ts';
import { isCookieSecret, signInCookie } from '../../sessions/sign-in-cookie.ts';
import { tokenHash } from '../../sessions/token.ts';
import { resumeBrowserSession as resume } from '../../store/sessions/browser-sessions.ts';

export function resumeBrowserSession({
  db,
  config,
  batched,
  lastUsed,
}: Deps): Handler<ResumeBrowserSessionRequest, ResumeBrowserSessionResponse> {
  return async ({ secret }) => {
    if (!isCookieSecret(secret)) throw unauthorized();
    const resumed = await resume(db, tokenHash(secret), config);
    if (resumed === undefined) throw unauthorized();
    const account = await batched.findAccount(resumed.account_id);
    if (account === undefined) throw unauthorized();
    lastUsed.note(resumed.session_id);
    const token = openToken(resumed.sealed_token, secret, resumed.session_id);
    return {
      session: { token, user_id: account.id, user: currentUser(account) },
      cookie: resumed.stay_signed_in ? signInCookie(secret, resumed) : undefined,
    };
  };
}
