import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { VerifyEmailRequest, VerifyEmailResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidMailToken } from '../../errors.ts';
import { EMAIL_TEMPLATES } from '../../mail/email.ts';
import { tokenHash } from '../../sessions/token.ts';
import { verifyAddress } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { deleteMailTokens, findMailToken, useMailToken } from '../../store/mail/mail-tokens.ts';
import { resetUnverifiedMailCounts } from '../../store/mail/verification-mails.ts';

export function verifyEmail({ db, ids }: Deps): Handler<VerifyEmailRequest, VerifyEmailResponse> {
  return async ({ token }, { caller }) => {
    const token_hash = tokenHash(token);
    const owner = await findMailToken(db, 'verify_email', token_hash);
    if (owner === undefined) throw invalidMailToken();

    const { account_id } = owner;
    await inTransaction(db, async (tx) => {
      // Locks the account before the token, in the common lock order.
      const verified = await verifyAddress(tx, owner);
      if (!verified || !(await useMailToken(tx, 'verify_email', token_hash))) throw invalidMailToken();
      await deleteMailTokens(tx, account_id, 'verify_email'); // tokens of earlier mails
      await resetUnverifiedMailCounts(tx, owner.email_key, EMAIL_TEMPLATES);
      await insertSecurityEvent(tx, ids(), { kind: 'email.verified', account_id, caller });
    });
    return {};
  };
}
