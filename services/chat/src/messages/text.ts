import type { Form, TextRule } from '@gatehouse/kit/form';

/** Checks a text of a form. NUL is refused, because PostgreSQL cannot store it. */
export function readText(form: Form, path: string, value: string, rule: TextRule): string {
  if (value.includes('\0')) form.fail(path, 'INVALID_FORMAT', 'Must not contain a NUL character.');
  return form.text(path, value, rule);
}
