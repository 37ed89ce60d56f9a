import { hash } from 'node:crypto';

/** A picture's hash: 32 hex digits of its content's digest, after "a_" if it is animated. */
export function pictureHash(bytes: Buffer, animated: boolean): string {
  const digest = hash('sha256', bytes, 'hex').slice(0, 32);
  return animated ? `a_${digest}` : digest;
}

/** Whether a text is a well-formed hash. */
export function isPictureHash(text: string): boolean {
  return /^(?:a_)?[0-9a-f]{32}$/.test(text);
}
