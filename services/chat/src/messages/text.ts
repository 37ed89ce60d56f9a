import type { Form, TextRule } from '@gatehouse/kit/form';

/** Reads a text of a form. PostgreSQL cannot store a NUL, so nothing that holds one gets further. */
export function readText(form: Form, path: string, value: string, rule: TextRule): string {
  if (value.includes('\0')) form.fail(path, 'INVALID_FORMAT', 'Must not contain a NUL character.');
  return form.text(path, value, rule);
}
