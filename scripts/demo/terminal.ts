import { stripVTControlCharacters } from 'node:util';

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Text from elsewhere, without what would steer the terminal. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}
