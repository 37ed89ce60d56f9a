import { parseObject } from '@gatehouse/kit/json';
import { multipartRefused } from '../errors.ts';
import { formField } from './form-field.ts';
import type { JsonObject } from './json-object.ts';
import type { Rendering } from './rendering.ts';

type ContentType = string | null | undefined;

/** The body of a provider's route. */
export interface ProviderBody {
  readonly content_type?: ContentType;
  readonly body: Uint8Array;
}

/** Refuses multipart bodies, which no execution takes. @throws INVALID_FORM_BODY */
export function refuseMultipart(contentType: ContentType): void {
  if (isMultipart(contentType)) throw multipartRefused();
}

export function isMultipart(contentType: ContentType): boolean {
  return mediaType(contentType).startsWith('multipart/');
}

/** Renders the payload of a body, or returns why there is nothing to show. @throws INVALID_FORM_BODY for multipart */
export function renderEventBody<M>(
  body: ProviderBody,
  render: (payload: JsonObject) => Rendering<M>,
): Rendering<M> {
  const payload = readPayload(body);
  return payload === undefined ? { nothing: 'broken_body' } : render(payload);
}

/**
 * The JSON object in a provider's body, whatever the content type, or in the field `payload` of a form. Undefined if
 * there is none.
 *
 * @throws INVALID_FORM_BODY for multipart
 */
export function readPayload({ content_type, body }: ProviderBody): JsonObject | undefined {
  refuseMultipart(content_type);
  const json = parsed(body);
  if (json !== undefined || mediaType(content_type) !== 'application/x-www-form-urlencoded') return json;
  const payload = formField(Buffer.from(body.buffer, body.byteOffset, body.byteLength), 'payload');
  return payload && parsed(payload);
}

function parsed(body: Uint8Array): JsonObject | undefined {
  try {
    return parseObject(body);
  } catch {
    return undefined;
  }
}

function mediaType(contentType: ContentType): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
