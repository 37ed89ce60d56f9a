import { type Fault, invalidForm } from '../fault.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * The JSON object that a body is.
 *
 * @throws INVALID_FORM_BODY (path `body`, INVALID_FORMAT) when it is not UTF-8, not JSON, or no object
 */
export function parseObject(body: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    throw notAnObject();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject();
  return value as Record<string, unknown>;
}

export function notAnObject(): Fault {
  return invalidForm([{ path: 'body', code: 'INVALID_FORMAT', message: 'Must be a JSON object.' }]);
}
