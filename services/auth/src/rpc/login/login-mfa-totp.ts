import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginMfaTotpRequest, LoginMfaTotpResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidMfaCode } from '../../errors.ts';
import type { MfaLogins } from '../../login/mfa-logins.ts';
import { useCode } from '../../mfa/use-code.ts';

export function loginMfaTotp(
  deps: Deps,
  logins: MfaLogins,
): Handler<LoginMfaTotpRequest, LoginMfaTotpResponse> {
  return async ({ ticket, code }, call) => {
    const { caller } = call;
    const session = await logins.finish(ticket, call, async (tx, account_id) => {
      const proof = await useCode(tx, deps, { account_id, code, caller });
      return proof === undefined ? { failure: {} } : { proof };
    });
    if (session === undefined) throw invalidMfaCode('code');
    return session;
  };
}
