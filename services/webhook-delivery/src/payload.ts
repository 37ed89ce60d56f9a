import { parseObject } from '@gatehouse/kit/json';
import { multipartRefused } from './errors.ts';
import type { Untyped } from './untyped.ts';

type ContentType = string | null | undefined;

/** Multipart bodies are refused on every execution, whatever they hold (specification 2). */
export function refuseMultipart(contentType: ContentType): void {
  if (mediaType(contentType).startsWith('multipart/')) throw multipartRefused();
}

/**
 * The JSON object that a provider's body is, under any or no content type, or that the form
 * `payload=<json>` holds (contract 4, section 8). Undefined when there is none.
 */
export function readPayload(contentType: ContentType, body: Uint8Array): Untyped | undefined {
  const json = parsed(body);
  if (json !== undefined || mediaType(contentType) !== 'application/x-www-form-urlencoded') return json;
  const payload = new URLSearchParams(Buffer.from(body).toString()).get('payload');
  return payload === null ? undefined : parsed(Buffer.from(payload));
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
