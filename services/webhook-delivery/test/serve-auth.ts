import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Handlers, implement, serve } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition, type User } from '@gatehouse/proto/auth';
import { absentHandlers } from './neighbour.ts';

/** What happens before auth answers. */
export interface BeforeAuth {
  getUsers?: () => unknown;
}

/** An auth service that knows these accounts, on a real port. It notes the IDs of each GetUsers call. */
export function serveAuth(
  accounts: ReadonlyMap<string, User>,
  lookups: (readonly string[])[] = [],
  before: BeforeAuth = {},
): Promise<Running> {
  const handlers: Handlers<typeof AuthServiceDefinition> = {
    ...absentHandlers(AuthServiceDefinition.methods),
    getUsers: async ({ ids }) => {
      lookups.push(ids);
      await before.getUsers?.();
      return { users: ids.map((id) => accounts.get(id)).filter((user) => user !== undefined) };
    },
  };
  const implementations = [implement(AuthServiceDefinition, handlers)];
  return serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
}
