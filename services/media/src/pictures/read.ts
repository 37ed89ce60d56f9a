import type { Decode, Sender } from '../decoding/limit-decoding.ts';
import type { Picture } from '../store/uploads.ts';
import { decodeBase64 } from './base64.ts';
import { contentType } from './content-type.ts';
import { pictureHash } from './hash.ts';

/**
 * Reads an image: base64 or a data: URL, whose declared type is ignored; PNG, JPEG, GIF or WebP; at most 10 MiB and
 * 8192 pixels a side, and 1 MiB as stored. Returns the reason as text if it is refused.
 */
export async function readPicture(text: string, decode: Decode, sender: Sender): Promise<Picture | string> {
  const given = decodeBase64(text);
  if (typeof given === 'string') return given;
  const content_type = contentType(given);
  if (content_type === undefined) return 'Must be a PNG, JPEG, GIF or WebP image.';
  const decoded = await decode(given, sender);
  if (typeof decoded === 'string') return decoded;
  const { animated, bytes } = decoded;
  return { hash: pictureHash(bytes, animated), content_type, bytes };
}
