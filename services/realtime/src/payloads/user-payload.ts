import { createHash } from 'node:crypto';
import type { CurrentUser } from '@gatehouse/proto/auth';
import type { Payload } from './payload.ts';
import { writeCurrentUser } from './texts.ts';

/** The event for a changed account: the user as GET /users/@me shows it. */
export function userUpdate(user: CurrentUser): Payload {
  return { t: 'USER_UPDATE', d: currentUser(user) };
}

/** Two users have the same digest if clients see no difference. */
export function userDigest(user: CurrentUser): string {
  return createHash('sha256').update(currentUser(user)).digest('base64url').slice(0, 22);
}

export function currentUser(user: CurrentUser): string {
  return writeCurrentUser(user).text;
}
