import { createHash } from 'node:crypto';
import type { NewAvatar } from '../store/avatars.ts';
import { decodeBase64 } from './base64.ts';
import { contentType } from './content-type.ts';
import type { Inspect } from './inspect.ts';

/**
 * Reads an avatar: base64 or a data: URL whose declared type is ignored. A text says what is wrong
 * with it (contract 4, section 8).
 */
export async function readAvatar(text: string, inspect: Inspect): Promise<NewAvatar | string> {
  const bytes = decodeBase64(text);
  if (typeof bytes === 'string') return bytes;
  const content_type = contentType(bytes);
  if (content_type === undefined) return 'Must be a PNG, JPEG, GIF or WebP image.';
  const inspected = await inspect(bytes);
  if (typeof inspected === 'string') return inspected;
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { hash: inspected.animated ? `a_${digest}` : digest, content_type, bytes };
}
