/** The image type, by the first bytes of a picture. */
export function contentType(bytes: Buffer): string | undefined {
  return SIGNATURES.find(({ matches }) => matches(bytes))?.type;
}

interface Signature {
  readonly type: string;
  matches(bytes: Buffer): boolean;
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', matches: (bytes) => at(bytes, 0, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', matches: (bytes) => at(bytes, 0, '\xff\xd8\xff') },
  { type: 'image/gif', matches: (bytes) => at(bytes, 0, 'GIF87a') || at(bytes, 0, 'GIF89a') },
  { type: 'image/webp', matches: (bytes) => at(bytes, 0, 'RIFF') && at(bytes, 8, 'WEBP') },
];

function at(bytes: Buffer, offset: number, text: string): boolean {
  return bytes.toString('latin1', offset, offset + text.length) === text;
}
