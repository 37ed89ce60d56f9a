import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  CreateWebauthnCredentialRequest,
  CreateWebauthnCredentialResponse,
} from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidPasskey } from '../../errors.ts';
import { passkeyView, readPasskeyName } from '../../passkeys/passkey-view.ts';
import { readRegistrationResponse } from '../../passkeys/read-response.ts';
import { addPasskey } from '../../sudo/add-passkey.ts';
import { requireSudo } from '../../sudo/sudo.ts';

export function createWebauthnCredential(
  deps: Deps,
): Handler<CreateWebauthnCredentialRequest, CreateWebauthnCredentialResponse> {
  return async (request, call) => {
    const form = new Form();
    const name = readPasskeyName(form, request.name);
    const parsed = readRegistrationResponse(request.response);
    if (parsed === undefined) throw invalidPasskey(form.violations);
    form.check();
    const sudo = await requireSudo(deps, request, call);
    const { passkey, backup_codes } = await addPasskey(deps, { parsed, name, sudo }, call.caller);
    return { credential: passkeyView(passkey, backup_codes) };
  };
}
