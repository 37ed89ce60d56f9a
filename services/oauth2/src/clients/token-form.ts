import { isUtf8 } from 'node:buffer';
import { invalidRequest } from '../errors.ts';

/** The non-empty parameters of a form. */
export type TokenForm = ReadonlyMap<string, string>;

/**
 * Reads a form (docs/oauth2.md#form-parameters).
 *
 * @throws INVALID_REQUEST for another content type, invalid UTF-8, and a repeated parameter
 */
export function readTokenForm(content_type: string | null | undefined, body: Uint8Array): TokenForm {
  const type = (content_type ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw invalidRequest('The body must be application/x-www-form-urlencoded.');
  if (!isUtf8(body)) throw invalidRequest('The body must be UTF-8.');
  const form = new Map<string, string>();
  const seen = new Set<string>();
  // URLSearchParams drops a question mark, but only the first.
  for (const [name, value] of new URLSearchParams(`?${Buffer.from(body).toString()}`)) {
    if (seen.has(name)) throw invalidRequest(`The parameter ${name.slice(0, 64)} is repeated.`);
    seen.add(name);
    // An empty parameter counts as absent (RFC 6749 §3.2).
    if (value !== '') form.set(name, value);
  }
  return form;
}
