import { createHash } from 'node:crypto';
import type { CurrentUser } from '@gatehouse/proto/auth';
import type { Payload } from './payload.ts';
import { writeCurrentUser } from './texts.ts';

/** What an account's sessions are told when it has changed: the user that GET /users/@me answers with. */
export function userUpdate(user: CurrentUser): Payload {
  return { t: 'USER_UPDATE', d: currentUser(user) };
}

/** Differs where two users do, as clients see them. */
export function userDigest(user: CurrentUser): string {
  return createHash('sha256').update(currentUser(user)).digest('base64url').slice(0, 22);
}

export function currentUser(user: CurrentUser): string {
  return writeCurrentUser(user).text;
}
