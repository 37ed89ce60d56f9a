import { batcher } from '@gatehouse/kit/queues/batch';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition, User } from '@gatehouse/proto/auth';

/** Maximum IDs of a GetUsers call. */
const MAX_IDS = 1000;
const GET_USERS_TIMEOUT_MS = 5000;

/** The existing accounts among these IDs, by ID. Without IDs there is no call. */
export type Users = (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;

/** Reads users from the auth service. IDs that are requested at the same moment share one RPC. */
export function userReader(auth: Client<typeof AuthServiceDefinition>): Users {
  const read = batcher<string, User | undefined>({
    maxBatch: MAX_IDS,
    maxInFlight: 4,
    maxQueue: 100 * MAX_IDS,
    run: async (ids) => {
      const { users } = await auth.getUsers(
        { ids: [...new Set(ids)] },
        { timeoutMs: GET_USERS_TIMEOUT_MS, caller: anonymous },
      );
      const byId = new Map(users.map((user) => [user.id, user]));
      return ids.map((id) => byId.get(id));
    },
  });

  return async (ids) => {
    const found = await Promise.all(Array.from(new Set(ids), read));
    return new Map(found.filter((user) => user !== undefined).map((user) => [user.id, user]));
  };
}

/** The user with this ID, or a placeholder if the account was deleted. */
export function userOrDeleted(users: ReadonlyMap<string, User>, id: string): User {
  return users.get(id) ?? { id, ...DELETED };
}

const DELETED = {
  username: 'Deleted User',
  discriminator: '0',
  global_name: null,
  avatar: null,
  bot: false,
} as const;
