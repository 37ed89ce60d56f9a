import { hash } from 'node:crypto';

/** A picture for fake media services. Each color gives another one. */
export function onePixel(color: string): Buffer {
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(color)]);
}

/** The hash that media gives a picture. */
export function pictureHash(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, 32);
}
