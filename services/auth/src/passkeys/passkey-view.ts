import type { Form } from '@gatehouse/kit/form';
import type { BackupCode, WebauthnCredential } from '@gatehouse/proto/auth';
import { failNul } from '../accounts/registration.ts';
import type { PasskeyRecord } from '../store/mfa/webauthn-credentials.ts';

/** A passkey as shown to its owner, with any backup codes created for it. */
export function passkeyView(
  { id, name, created_at, last_used_at }: PasskeyRecord,
  backup_codes: BackupCode[] = [],
): WebauthnCredential {
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    backup_codes,
  };
}

/** Reads the name of a passkey, trimmed. */
export function readPasskeyName(form: Form, name: string): string {
  failNul(form, 'name', name);
  return form.text('name', name, { min: 1, max: 100, trim: true });
}
