import type { Form } from '@gatehouse/kit/form';

/** What its owner calls a passkey, trimmed. */
export function readPasskeyName(form: Form, name: string): string {
  return form.text('name', name, { min: 1, max: 100, trim: true });
}
