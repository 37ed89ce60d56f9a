import type { CurrentUser, UpdateCurrentUserRequest } from '@gatehouse/proto/auth';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { type Auth, IN_TIME } from './auth.ts';

/** A request without changes, as the edge derives it from an empty body. */
const NO_CHANGES: UpdateCurrentUserRequest = {
  global_name: null,
  bio: null,
  pronouns: null,
  accent_color: null,
  avatar: null,
  banner: null,
  locale: null,
};

/** Changes a caller's account. */
export async function update(
  auth: Auth,
  caller: Caller,
  changes: Partial<UpdateCurrentUserRequest>,
): Promise<CurrentUser> {
  const { user } = await auth.updateCurrentUser({ ...NO_CHANGES, ...changes }, { ...IN_TIME, caller });
  if (user === null) throw new Error('the response has no user');
  return user;
}

/** A member with this value, or null. */
export const to = <T>(value: T | null) => ({ value });

/** The account as its owner reads it. */
export async function current(auth: Auth, caller: Caller): Promise<CurrentUser | null> {
  return (await auth.getCurrentUser({}, { ...IN_TIME, caller })).user;
}
