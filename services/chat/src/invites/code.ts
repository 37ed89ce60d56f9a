import { randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 12;

/** A code that nobody guesses: 12 letters and digits. */
export function newInviteCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Whether a text can be a code; the database is asked for nothing else. */
export function isInviteCode(text: string): boolean {
  return /^[A-Za-z0-9]{12}$/.test(text);
}
