import { invalidForm } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { FindTokenRequest, FindTokenResponse } from '@gatehouse/proto/oauth2-admin';
import type { Deps } from '../../deps.ts';
import { findByFingerprint } from '../../store/fingerprints.ts';

export function findToken({ db, hardening }: Deps): Handler<FindTokenRequest, FindTokenResponse> {
  return async ({ fingerprint }) => {
    if (!/^[0-9a-f]{16}$/i.test(fingerprint)) {
      const message = 'Must be 16 hexadecimal digits.';
      throw invalidForm([{ path: 'fingerprint', code: 'INVALID_FORMAT', message }]);
    }
    return { token: await findByFingerprint(db, fingerprint.toLowerCase(), hardening) };
  };
}
