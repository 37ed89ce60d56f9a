import type { Form } from '@gatehouse/kit/form';

/** The members of a JSON body. */
export type Body = Readonly<Record<string, unknown>>;

export function bodyOf(value: unknown): Body {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value)) : {};
}

export interface TextRule {
  readonly min: number;
  readonly max: number;
  /** Whether to trim white space before counting. */
  readonly trim?: boolean;
}

/** Reads a text. If it is none, or one that the database does not keep as it is, the form has a violation. */
export function readText(form: Form, body: Body, path: string, rule: TextRule): string {
  const value = body[path];
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) {
    form.fail(path, 'INVALID_FORMAT', 'Must be a text.');
    return '';
  }
  return form.text(path, value, rule);
}

/** Reads a text that may be absent or null. */
export function readOptionalText(form: Form, body: Body, path: string, rule: TextRule): string | undefined {
  return body[path] === undefined || body[path] === null ? undefined : readText(form, body, path, rule);
}

/** Reads a whole number that may be absent or null. */
export function readOptionalInteger(form: Form, body: Body, path: string, max: number): number | undefined {
  const value = body[path];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
  form.fail(path, 'INVALID_FORMAT', `Must be a whole number from 0 to ${max}.`);
  return undefined;
}

/** Reads a boolean. Absent: false. */
export function readFlag(form: Form, body: Body, path: string): boolean {
  const value = body[path] ?? false;
  if (typeof value === 'boolean') return value;
  form.fail(path, 'INVALID_FORMAT', 'Must be true or false.');
  return false;
}
