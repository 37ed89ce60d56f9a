import type { CurrentUser } from '@gatehouse/proto/auth';
import type { Payload } from './payload.ts';
import { writeCurrentUser } from './texts.ts';

/** What an account's sessions are told when it has changed: the user that GET /users/@me answers with. */
export function userUpdate(user: CurrentUser): Payload {
  return { t: 'USER_UPDATE', d: currentUser(user) };
}

export function currentUser(user: CurrentUser): string {
  return writeCurrentUser(user).text;
}
