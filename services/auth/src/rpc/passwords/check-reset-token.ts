import type { Handler } from '@gatehouse/kit/rpc';
import type { CheckResetTokenRequest, CheckResetTokenResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { tokenHash } from '../../sessions/token.ts';
import { findMailToken } from '../../store/mail/mail-tokens.ts';

export function checkResetToken({ db }: Deps): Handler<CheckResetTokenRequest, CheckResetTokenResponse> {
  return async ({ token }) => {
    const owner = await findMailToken(db, 'reset_password', tokenHash(token));
    return { valid: owner !== undefined };
  };
}
