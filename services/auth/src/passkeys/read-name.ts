import type { Form } from '@gatehouse/kit/form';

/** What its owner calls a passkey, trimmed. */
export function readPasskeyName(form: Form, name: string): string {
  // The edge lets none through; a caller inside may be wrong, and the database has no such character.
  if (name.includes('\0')) form.fail('name', 'INVALID_FORMAT', 'Must be text without NUL.');
  return form.text('name', name, { min: 1, max: 100, trim: true });
}
