import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { Fault, Status, unavailable } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { type Client, connect, implement, serve } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition, type CurrentUser, type Event } from '@gatehouse/proto/auth';
import { onTestFinished } from 'vitest';
import { current } from '../payloads/samples.ts';
import { type ScriptedLog, scriptedLog } from './scripted-log.ts';

/** auth, in memory, on a real port. */
export interface ScriptedAuth {
  readonly client: Client<typeof AuthServiceDefinition>;
  readonly log: ScriptedLog<Event>;
  /** A token for a credential with this ID. `.bot` behind it makes it a bot's. */
  token(account_id: string, credential_id: string): string;
  /** Ends a credential, and writes the event. */
  end(credential_id: string): void;
  /** Ends a credential without the event. */
  endUnsaid(credential_id: string): void;
  rename(account_id: string, username: string): void;
  /** Renames an account without the event. */
  renameUnsaid(account_id: string, username: string): void;
  /** The number of GetUsers calls. */
  lookups: number;
  /** The number of GetCurrentUser calls. */
  currentUsers: number;
  /** Whether its RPCs fail. Its log is controlled by `log.set`. */
  isAway: boolean;
  /** GetCurrentUser waits for it after its read. */
  beforeCurrentUser: Promise<unknown>;
}

export async function scriptedAuth(): Promise<ScriptedAuth> {
  const log = scriptedLog<Event>();
  const accounts = new Map<string, CurrentUser>();
  const credentials = new Map<string, string>();
  const handlers = someHandlers(AuthServiceDefinition, {
    readEvents: ({ cursor, silence_ms }, { signal }) => log.read(cursor, silence_ms ?? 10_000, signal),
    identify: ({ token }) => {
      requireHere();
      const [credential_id = ''] = token.slice('token-'.length).split('.');
      const account_id = credentials.get(credential_id);
      return { identity: account_id === undefined ? null : { account_id, credential_id } };
    },
    getCurrentUser: async (_, { caller: { account_id, credential_id } }) => {
      requireHere();
      const user = credentials.get(credential_id) === account_id ? accounts.get(account_id) : undefined;
      if (user === undefined) throw unauthenticated();
      auth.currentUsers++;
      await auth.beforeCurrentUser;
      return { user };
    },
    getUsers: ({ ids }) => {
      requireHere();
      auth.lookups++;
      return { users: ids.flatMap((id) => accounts.get(id) ?? []) };
    },
  });
  const implementations = [implement(AuthServiceDefinition, handlers)];
  const server = await serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
  onTestFinished(() => server.close());
  const connection = connect(AuthServiceDefinition, { address: server.address });
  onTestFinished(() => connection.close());

  function requireHere(): void {
    if (auth.isAway) throw unavailable(new Error('scripted'));
  }

  function id(): string {
    return String(log.events.length + 1);
  }

  const auth: ScriptedAuth = {
    client: connection.client,
    log,
    isAway: false,
    lookups: 0,
    currentUsers: 0,
    beforeCurrentUser: Promise.resolve(),
    token: (account_id, credential_id) => {
      if (!accounts.has(account_id))
        accounts.set(account_id, { ...current, id: account_id, username: `user ${account_id}` });
      credentials.set(credential_id, account_id);
      return `token-${credential_id}`;
    },
    end: (credential_id) => {
      const account_id = credentials.get(credential_id) ?? '';
      credentials.delete(credential_id);
      log.write({ id: id(), type: 'CREDENTIAL_ENDED', account_id, credential_id });
    },
    endUnsaid: (credential_id) => {
      credentials.delete(credential_id);
    },
    renameUnsaid: (account_id, username) => {
      accounts.set(account_id, { ...current, id: account_id, username });
    },
    rename: (account_id, username) => {
      auth.renameUnsaid(account_id, username);
      log.write({ id: id(), type: 'USER_UPDATE', account_id });
    },
  };
  return auth;
}

function unauthenticated(): Fault {
  return new Fault({ status: Status.UNAUTHENTICATED, reason: 'UNAUTHENTICATED', message: 'Ended.' });
}
