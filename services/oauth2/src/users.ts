import type { Call } from '@gatehouse/kit/rpc';
import type { User } from '@gatehouse/proto/auth';
import type { Deps } from './deps.ts';

const GET_USERS_TIMEOUT_MS = 2_000;

/** Reads public users (people and bots) from auth, by ID. Deleted accounts are missing from the result. */
export async function findUsers(
  auth: Deps['auth'],
  ids: string[],
  call: Call,
): Promise<ReadonlyMap<string, User>> {
  if (ids.length === 0) return new Map();
  const { users } = await auth.getUsers({ ids }, { timeoutMs: GET_USERS_TIMEOUT_MS, parent: call });
  return new Map(users.map((user) => [user.id, user]));
}

/** Whether auth has the account of a person or a bot. */
export async function userExists(auth: Deps['auth'], id: string, call: Call): Promise<boolean> {
  return (await findUsers(auth, [id], call)).has(id);
}
