import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginMfaWebauthnRequest, LoginMfaWebauthnResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidMfaCode } from '../../errors.ts';
import type { MfaLogins } from '../../login/mfa-logins.ts';
import { provePasskey } from '../../passkeys/prove-passkey.ts';
import { recordPasskeyUse } from '../../store/mfa/webauthn-credentials.ts';

export function loginMfaWebauthn(
  deps: Deps,
  logins: MfaLogins,
): Handler<LoginMfaWebauthnRequest, LoginMfaWebauthnResponse> {
  const { config } = deps;
  return async ({ ticket, response }, call) => {
    const session = await logins.finish(ticket, call, async (tx, account_id) => {
      const proven = await provePasskey({ db: tx, config }, { purpose: 'mfa', account_id, response });
      if (proven !== undefined && (await recordPasskeyUse(tx, proven))) return { proof: 'passkey' };
      return { failure: { proof: 'passkey', signed: proven !== undefined } };
    });
    if (session === undefined) throw invalidMfaCode('response');
    return session;
  };
}
