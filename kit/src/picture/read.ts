import { hash } from 'node:crypto';
import { decodeBase64 } from './base64.ts';
import { contentType } from './content-type.ts';
import type { Inspect, Sender } from './inspect.ts';

/** An image that was decoded to its end, as it came. */
export interface Picture {
  /** 32 hex digits of the bytes' digest, behind "a_" when animated. */
  readonly hash: string;
  readonly content_type: string;
  readonly bytes: Buffer;
}

/**
 * Reads an image: base64 or a data: URL whose declared type is ignored; PNG, JPEG, GIF or WebP, at most
 * 10 MiB and 8192 pixels a side. A text says what is wrong with it.
 */
export async function readPicture(text: string, inspect: Inspect, sender: Sender): Promise<Picture | string> {
  const bytes = decodeBase64(text);
  if (typeof bytes === 'string') return bytes;
  const content_type = contentType(bytes);
  if (content_type === undefined) return 'Must be a PNG, JPEG, GIF or WebP image.';
  const inspected = await inspect(bytes, sender);
  if (typeof inspected === 'string') return inspected;
  const digest = hash('sha256', bytes, 'hex').slice(0, 32);
  return { hash: inspected.animated ? `a_${digest}` : digest, content_type, bytes };
}
