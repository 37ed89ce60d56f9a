import type { Handler } from '@gatehouse/kit/rpc';
import type { IdentifyBrowserSessionRequest, IdentifyBrowserSessionResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { isCookieSecret } from '../../sessions/sign-in-cookie.ts';
import { tokenHash } from '../../sessions/token.ts';
import { findBrowserSession } from '../../store/sessions/browser-sessions.ts';

export function identifyBrowserSession({
  db,
  config,
  lastUsed,
}: Deps): Handler<IdentifyBrowserSessionRequest, IdentifyBrowserSessionResponse> {
  return async ({ secret }) => {
    if (!isCookieSecret(secret)) return { identity: undefined };
    const identity = await findBrowserSession(db, tokenHash(secret), config);
    if (identity !== undefined) lastUsed.note(identity.credential_id);
    return { identity };
  };
}
