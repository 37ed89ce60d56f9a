import type { Form, TextRule } from '@gatehouse/kit/form';
import { isSnowflake } from '@gatehouse/kit/snowflake';

const MAX_COLOR = 0xffffff;

/** Checks a text field. NUL is refused because PostgreSQL cannot store it. */
export function readText(form: Form, path: string, value: string, rule: TextRule): string {
  if (value.includes('\0')) form.fail(path, 'INVALID_FORMAT', 'Must not contain a NUL character.');
  return form.text(path, value, rule);
}

/** Checks an ID; undefined if it is absent or null. */
export function readId(form: Form, path: string, id: string): string;
export function readId(form: Form, path: string, id: string | null | undefined): string | undefined;
export function readId(form: Form, path: string, id: string | null | undefined): string | undefined {
  if (id != null && !isSnowflake(id)) form.fail(path, 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
  return id ?? undefined;
}

export function readInteger(form: Form, path: string, value: number, min: number, max: number): number {
  if (value < min || value > max) {
    form.fail(path, 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be an integer from ${min} to ${max}.`);
  }
  return value;
}

export function readColor(form: Form, path: string, color: number): number {
  if (color < 0) form.fail(path, 'COLOR_VALUE_TOO_LOW', 'Must be at least 0.');
  if (color > MAX_COLOR) form.fail(path, 'COLOR_VALUE_TOO_HIGH', `Must be at most ${MAX_COLOR}.`);
  return color;
}
