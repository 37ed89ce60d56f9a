import type { WebauthnCredential } from '@gatehouse/proto/auth';
import type { PasskeyRecord } from '../store/webauthn-credentials.ts';

/** What its owner sees of a passkey. */
export function passkeyView({ id, name, created_at, last_used_at }: PasskeyRecord): WebauthnCredential {
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
