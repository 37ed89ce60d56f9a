import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { FindCredentialRequest, FindCredentialResponse } from '@gatehouse/proto/auth-admin';
import type { Deps } from '../../deps.ts';
import { findCredential as find } from '../../store/admin/admin-credentials.ts';

export function findCredential({ db, config }: Deps): Handler<FindCredentialRequest, FindCredentialResponse> {
  return async ({ fingerprint }) => {
    const form = new Form();
    if (!/^[0-9a-f]{16}$/i.test(fingerprint))
      form.fail('fingerprint', 'INVALID_FORMAT', 'Must be 16 hexadecimal digits.');
    form.check();
    return { credential: await find(db, fingerprint.toLowerCase(), config) };
  };
}
