import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { VerifyEmailRequest, VerifyEmailResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidMailToken } from '../../errors.ts';
import { TEMPLATES } from '../../mail/email.ts';
import { tokenHash } from '../../sessions/token.ts';
import { verifyAddress } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { deleteMailTokens, findMailToken, useMailToken } from '../../store/mail/mail-tokens.ts';
import { forgetUnverifiedMails } from '../../store/mail/verification-mails.ts';

export function verifyEmail({ db, ids }: Deps): Handler<VerifyEmailRequest, VerifyEmailResponse> {
  return async ({ token }, { caller }) => {
    const token_hash = tokenHash(token);
    const owner = await findMailToken(db, 'verify_email', token_hash);
    if (owner === undefined) throw invalidMailToken();

    const { account_id } = owner;
    await inTransaction(db, async (tx) => {
      // The account is locked before the token, like everywhere.
      const held = await verifyAddress(tx, owner);
      if (!held || !(await useMailToken(tx, 'verify_email', token_hash))) throw invalidMailToken();
      await deleteMailTokens(tx, account_id, 'verify_email'); // tokens of earlier mails
      await forgetUnverifiedMails(tx, owner.email_key, TEMPLATES);
      await insertSecurityEvent(tx, ids(), { kind: 'email.verified', account_id, caller });
    });
    return {};
  };
}
