import type { Handler } from '@gatehouse/kit/rpc';
import type { ListWebauthnCredentialsRequest, ListWebauthnCredentialsResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { passkeyView } from '../../passkeys/passkey-view.ts';
import { listPasskeys } from '../../store/mfa/webauthn-credentials.ts';

export function listWebauthnCredentials({
  db,
}: Deps): Handler<ListWebauthnCredentialsRequest, ListWebauthnCredentialsResponse> {
  return async (_request, { caller }) => {
    const passkeys = await listPasskeys(db, requireSession(caller).account_id);
    return { credentials: passkeys.map((passkey) => passkeyView(passkey)) };
  };
}
