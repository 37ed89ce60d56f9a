import type { Form } from '@gatehouse/kit/form';
import { textAt, type Untyped } from '../execution/untyped.ts';

/** A member's text, undefined when it is of another type or blank; one that no message can hold fails. */
export function readText(form: Form, from: Untyped, path: string, name: string): string | undefined {
  const text = textAt(from, name);
  if (text === undefined || (text.isWellFormed() && !text.includes('\0'))) return text;
  form.fail(`${path}${name}`, 'INVALID_FORMAT', 'Must be Unicode text without NUL.');
  return undefined;
}
