import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  DeleteWebauthnCredentialRequest,
  DeleteWebauthnCredentialResponse,
} from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { completeFactorChange } from '../../mfa/complete-factor-change.ts';
import { isCredentialId } from '../../passkeys/read-response.ts';
import { deleteOrphanedBackupCodes } from '../../store/mfa/backup-codes.ts';
import { lockFactors } from '../../store/mfa/factors.ts';
import { deletePasskey } from '../../store/mfa/webauthn-credentials.ts';
import { requireLiveSudo } from '../../sudo/live-sudo.ts';
import { requireSudo } from '../../sudo/sudo.ts';

export function deleteWebauthnCredential(
  deps: Deps,
): Handler<DeleteWebauthnCredentialRequest, DeleteWebauthnCredentialResponse> {
  const { db } = deps;
  return async (request, call) => {
    const { caller } = call;
    const { account_id } = requireSession(caller);
    const { id } = request;
    const sudo = await requireSudo(deps, request, call);
    await inTransaction(db, async (tx) => {
      await lockFactors(tx, account_id);
      await requireLiveSudo(tx, sudo, caller);
      if (!isCredentialId(id) || !(await deletePasskey(tx, id, account_id))) throw notFound();
      await deleteOrphanedBackupCodes(tx, account_id);
      const detail = { passkey: id };
      await completeFactorChange(tx, deps, { kind: 'mfa.passkey_removed', detail }, caller);
    });
    deps.mail.wake();
    return {};
  };
}
