import { parseObject } from '@gatehouse/kit/json';
import { multipartRefused } from '../errors.ts';
import type { Untyped } from './untyped.ts';

type ContentType = string | null | undefined;

/** Multipart bodies are refused on every execution, whatever they hold. */
export function refuseMultipart(contentType: ContentType): void {
  if (isMultipart(contentType)) throw multipartRefused();
}

export function isMultipart(contentType: ContentType): boolean {
  return mediaType(contentType).startsWith('multipart/');
}

/**
 * The JSON object that a provider's body is, under any or no content type, or that the form
 * `payload=<json>` holds. Undefined when there is none.
 */
export function readPayload(contentType: ContentType, body: Uint8Array): Untyped | undefined {
  const json = parsed(body);
  if (json !== undefined || mediaType(contentType) !== 'application/x-www-form-urlencoded') return json;
  const field = formField(Buffer.from(body.buffer, body.byteOffset, body.byteLength), 'payload=');
  const payload = field && new URLSearchParams(field).get('payload');
  return typeof payload === 'string' ? parsed(Buffer.from(payload)) : undefined;
}

/** The first field that begins with `start`. Other fields are skipped without being parsed. */
function formField(form: Buffer, start: string): string | undefined {
  for (let at = form.indexOf(start); at >= 0; at = form.indexOf(start, at + 1)) {
    if (at > 0 && form[at - 1] !== AMPERSAND) continue;
    const end = form.indexOf(AMPERSAND, at);
    return form.toString('utf8', at, end < 0 ? form.length : end);
  }
  return undefined;
}

const AMPERSAND = 0x26;

function parsed(body: Uint8Array): Untyped | undefined {
  try {
    return parseObject(body);
  } catch {
    return undefined;
  }
}

function mediaType(contentType: ContentType): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
