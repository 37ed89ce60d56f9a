import { createHmac, hash, pbkdf2Sync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Login } from './login.ts';

/**
 * Whoever has one role's password can try guesses at the user's with it. This is the least that the OWASP Password
 * Storage Cheat Sheet gives for scrypt, some 170 ms and 8 MiB a guess; a password that many use is found all the same.
 */
const COST = { N: 2 ** 13, r: 8, p: 10 };

/**
 * The passwords of the roles that a user of a server makes, by their names. They come of the user's own: all who
 * know that one give the same roles the same passwords, and none has to be kept or handed on.
 */
export async function rolePasswords({ user, password }: Login): Promise<(role: string) => string> {
  const derive = promisify<string, string, number, typeof COST, Buffer>(scrypt);
  const key = await derive(password, `gatehouse role passwords ${user}`, 32, COST);
  return (role) => createHmac('sha256', key).update(role).digest('base64url');
}

/** RFC 5802 wants 4096 at least; the passwords above are random to whoever would guess them. */
const ITERATIONS = 4096;

/**
 * What PostgreSQL keeps of a password (its manual, "pg_authid"), and takes in the password's place: so the
 * password itself is in no statement, and in no log of statements.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = hash('sha256', keyOf('Client Key'), 'base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}
