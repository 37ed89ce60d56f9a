import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  UpdateWebauthnCredentialRequest,
  UpdateWebauthnCredentialResponse,
} from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { passkeyView, readPasskeyName } from '../../passkeys/passkey-view.ts';
import { isCredentialId } from '../../passkeys/read-response.ts';
import { renamePasskey } from '../../store/mfa/webauthn-credentials.ts';

export function updateWebauthnCredential({
  prisma,
}: Deps): Handler<UpdateWebauthnCredentialRequest, UpdateWebauthnCredentialResponse> {
  return async ({ id, name: text }, { caller }) => {
    const { account_id } = requireSession(caller);
    const form = new Form();
    const name = readPasskeyName(form, text);
    form.check();
    const renamed = isCredentialId(id) ? await renamePasskey(prisma, { id, account_id, name }) : undefined;
    if (renamed === undefined) throw notFound();
    return { credential: passkeyView(renamed) };
  };
}
