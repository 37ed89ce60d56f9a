import { hash, randomBytes, randomInt } from 'node:crypto';
import { isSnowflake } from '@gatehouse/kit/snowflake';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `gth_` and 36 random letters and digits. */
export function newSessionToken(): string {
  let token = 'gth_';
  for (let count = 0; count < 36; count++) token += LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)];
  return token;
}

/** `<application_id>.` and 32 random bytes in base64url. */
export function newBotToken(application_id: string): string {
  return `${application_id}.${newSecret()}`;
}

/** Returns a new ticket, challenge or mail token: 32 random bytes in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function isSessionToken(text: string): boolean {
  return /^gth_[A-Za-z0-9]{36}$/.test(text);
}

export function isBotToken(text: string): boolean {
  const match = /^([0-9]{1,19})\.[A-Za-z0-9_-]{43}$/.exec(text);
  return match?.[1] !== undefined && isSnowflake(match[1]);
}

/**
 * The stored hash of a token: SHA-256 in hex. A token has over 200 random bits, so the hash need not be slow or salted.
 * A bot token is hashed with its application ID: the same secret with another ID is another token.
 */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
