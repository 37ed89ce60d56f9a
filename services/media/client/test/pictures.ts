import { hash } from 'node:crypto';

/** What media takes for a picture in these tests; each colour is another. */
export function onePixel(colour: string): Buffer {
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(colour)]);
}

/** As media names it. */
export function pictureHash(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, 32);
}
