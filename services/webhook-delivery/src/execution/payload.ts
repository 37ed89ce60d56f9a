import { parseObject } from '@gatehouse/kit/json';
import { multipartRefused } from '../errors.ts';
import { formField } from './form-field.ts';
import type { Untyped } from './untyped.ts';

type ContentType = string | null | undefined;

/** Every execution refuses multipart bodies. */
export function refuseMultipart(contentType: ContentType): void {
  if (isMultipart(contentType)) throw multipartRefused();
}

export function isMultipart(contentType: ContentType): boolean {
  return mediaType(contentType).startsWith('multipart/');
}

/**
 * The JSON object in a provider's body, whatever the content type, or in the field `payload` of a form. Undefined if
 * there is none.
 */
export function readPayload(contentType: ContentType, body: Uint8Array): Untyped | undefined {
  const json = parsed(body);
  if (json !== undefined || mediaType(contentType) !== 'application/x-www-form-urlencoded') return json;
  const payload = formField(Buffer.from(body.buffer, body.byteOffset, body.byteLength), 'payload');
  return payload && parsed(payload);
}

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
