/** Maximum size of an image. */
const MAX_SENT_BYTES = 10 * 1024 * 1024;

/** Decodes base64 or a base64 data: URL. Returns a text if it is invalid or too large. */
export function decodeBase64(text: string): Buffer | string {
  const base64 = text.slice(/^data:[^,]{0,256};base64,/i.exec(text)?.[0].length ?? 0);
  if ((base64.length / 4) * 3 > MAX_SENT_BYTES + 2) return SENT_TOO_LARGE;
  const bytes = Buffer.from(base64, 'base64');
  // Node's decoder is lenient: text is valid only if its bytes encode back to it (RFC 4648, padded).
  if (bytes.length === 0 || bytes.toString('base64') !== base64) return 'Must be base64 or a data: URL.';
  return bytes.length <= MAX_SENT_BYTES ? bytes : SENT_TOO_LARGE;
}

const SENT_TOO_LARGE = 'Must be at most 10 MiB.';
