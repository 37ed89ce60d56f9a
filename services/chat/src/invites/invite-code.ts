import { randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 12;

/** A random code of 12 letters and digits. */
export function newInviteCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Whether a text has the form of a code. Others are not looked up. */
export function isInviteCode(text: string): boolean {
  return /^[A-Za-z0-9]{12}$/.test(text);
}
