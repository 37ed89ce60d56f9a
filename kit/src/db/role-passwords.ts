import { createHmac, hash, pbkdf2Sync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Login } from './login.ts';

/**
 * A role's password allows an offline attack on the user's password. These are the minimum scrypt parameters of the
 * OWASP Password Storage Cheat Sheet, some 170 ms and 8 MiB per guess, which do not protect a common password.
 */
const COST = { N: 2 ** 13, r: 8, p: 10 };

/**
 * Derives the passwords of a user's roles from the user's own password. The same password gives the same results
 * everywhere, so none has to be stored or passed on.
 */
export async function rolePasswords({ user, password }: Login): Promise<(role: string) => string> {
  const derive = promisify<string, string, number, typeof COST, Buffer>(scrypt);
  const key = await derive(password, `gatehouse role passwords ${user}`, 32, COST);
  return (role) => createHmac('sha256', key).update(role).digest('base64url');
}

/** The minimum of RFC 5802: the passwords are too random to guess. */
const ITERATIONS = 4096;

/**
 * The SCRAM verifier that PostgreSQL stores (its manual, "pg_authid") and accepts in place of a password, so that the
 * password appears in no statement and no statement log.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = hash('sha256', keyOf('Client Key'), 'base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}
