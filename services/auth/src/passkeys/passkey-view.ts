import type { Form } from '@gatehouse/kit/form';
import type { BackupCode, WebauthnCredential } from '@gatehouse/proto/auth';
import type { PasskeyRecord } from '../store/mfa/webauthn-credentials.ts';

/** A passkey as its owner sees it, with the backup codes that came with it. */
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

/** The name that its owner gives a passkey, trimmed. */
export function readPasskeyName(form: Form, name: string): string {
  // The edge refuses NUL. Another caller may send it, and PostgreSQL cannot store it.
  if (name.includes('\0')) form.fail('name', 'INVALID_FORMAT', 'Must be text without NUL.');
  return form.text('name', name, { min: 1, max: 100, trim: true });
}
