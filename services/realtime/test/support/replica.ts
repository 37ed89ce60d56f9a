import { usersOf } from '@gatehouse/auth-client/users';
import { silentLogger } from '@gatehouse/kit/log';
import { type Client, connect, implement, serve } from '@gatehouse/kit/rpc';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import { onTestFinished } from 'vitest';
import type { Bounds } from '../../src/config.ts';
import { type AuthLog, followAuth } from '../../src/following/auth-log.ts';
import { type ChatLog, followChat } from '../../src/following/chat-log.ts';
import { type Loads, loads } from '../../src/following/load-accounts.ts';
import { reachEnd } from '../../src/following/reach-end.ts';
import { readAgain } from '../../src/following/read-again.ts';
import { type Arrival, arrival } from '../../src/hand-over/arrivals.ts';
import { claim } from '../../src/hand-over/claim.ts';
import { preparedAccounts } from '../../src/hand-over/prepared-accounts.ts';
import { type Recently, recently } from '../../src/recently.ts';
import { realtimeHandlers } from '../../src/rpc/index.ts';
import type { Audience } from '../../src/sessions/audience.ts';
import { credentials } from '../../src/sessions/credential.ts';
import { keptTexts } from '../../src/sessions/kept-texts.ts';
import { type Registry, registry } from '../../src/sessions/registry.ts';
import { type Sessions, sessions } from '../../src/sessions/sessions.ts';
import { createWorld, type World } from '../../src/world/world.ts';
import type { ScriptedAuth } from './scripted-auth.ts';
import type { ScriptedChat } from './scripted-chat.ts';
import { type TestConnection, testConnection } from './test-connection.ts';
import { until } from './until.ts';

/** A replica of realtime without its WebSockets: all parts are as the service has them. */
export interface Replica {
  readonly registry: Registry;
  readonly world: World<Audience>;
  readonly gateway: Sessions;
  readonly chatLog: ChatLog;
  readonly authLog: AuthLog;
  readonly giving: Set<string>;
  readonly moved: Recently;
  readonly load: Loads;
  readonly arrive: (account_id: string) => Promise<Arrival>;
  /** How others call it. */
  readonly peer: Client<typeof RealtimeServiceDefinition>;
  /** The replicas that it asks. */
  readonly peers: Client<typeof RealtimeServiceDefinition>[];
  isDraining: boolean;
  connect(): TestConnection;
  /** Identifies, and waits for READY. */
  identify(token: string): Promise<TestConnection>;
  /** Resumes, and waits for the answer. */
  resume(token: string, session_id: string, seq: number): Promise<TestConnection>;
}

export const BOUNDS: Bounds = {
  max_connections: 1_000,
  max_connections_per_address: 1_000,
  max_sessions_per_account: 100,
  max_identifies: 64,
  max_positions: 20_000,
  max_kept_bytes: 128 * 1024 * 1024,
  max_waiting_bytes: 128 * 1024 * 1024,
};

export async function replica(
  chat: ScriptedChat,
  auth: ScriptedAuth,
  bounds: Partial<Bounds> = {},
): Promise<Replica> {
  const log = silentLogger;
  const world = createWorld<Audience>();
  const known = registry(world);
  const users = usersOf(auth.client);
  const peers: Client<typeof RealtimeServiceDefinition>[] = [];
  const following: { chatLog?: ChatLog } = {};
  const chatLog = (): ChatLog => {
    if (following.chatLog === undefined) throw new Error('the log is not followed yet');
    return following.chatLog;
  };
  const load = loads({ chat: chat.client, world, chatLog });
  const all = { ...BOUNDS, ...bounds };
  const keeping = { max_positions: all.max_positions, texts: keptTexts() };
  const arrive = (account_id: string) =>
    arrival(account_id, {
      registry: known,
      world,
      chatLog,
      loadAccount: load.account,
      keeping,
      arrived: (account_id) => gateway.arrived(account_id),
    });
  const gateway = sessions({
    registry: known,
    world,
    credentials: credentials(auth.client),
    users,
    loadAccount: load.account,
    chatLog,
    reachEnd: reachEnd(chat.client, chatLog),
    readAgain: readAgain(chat.client, users),
    claim: claim({ all: async () => peers, close: () => undefined }, known, arrive),
    resume_gateway_url: 'ws://127.0.0.1:1/gateway',
    bounds: all,
    keeping,
    counts: { identified: () => undefined, resumed: () => undefined },
    log,
  });
  onTestFinished(gateway.close);
  const authLog = followAuth({
    auth: auth.client,
    credentialEnded: gateway.credentialEnded,
    userUpdated: gateway.userUpdated,
    missed: gateway.endAll,
    log,
  });
  onTestFinished(authLog.close);
  const followed = followChat({
    chat: chat.client,
    users,
    world,
    loadGuild: load.guild,
    mayTell: authLog.isYoung,
    missed: gateway.endAll,
    delivered: () => undefined,
    log,
  });
  following.chatLog = followed;
  onTestFinished(followed.close);
  const underWay = new Set<string>();
  const moved = recently(3_000);
  const prepared = preparedAccounts();
  onTestFinished(prepared.close);
  const handlers = realtimeHandlers({
    registry: known,
    chatLog: followed,
    arrive,
    prepared,
    giving: underWay,
    moved,
    isDraining: () => made.isDraining,
    handedOver: () => undefined,
  });
  const implementations = [implement(RealtimeServiceDefinition, handlers)];
  const server = await serve({ address: '127.0.0.1:0', implementations, log });
  onTestFinished(() => server.close());
  const connection = connect(RealtimeServiceDefinition, { address: server.address, transport: 'unary' });
  onTestFinished(() => connection.close());

  async function answered(client: TestConnection): Promise<TestConnection> {
    await until(() => client.isAccepted() || client.refused.length > 0 || client.closedWith() !== undefined);
    return client;
  }

  const connectClient = (): TestConnection => testConnection((ended) => gateway.ended(ended, undefined));
  const made: Replica = {
    registry: known,
    world,
    gateway,
    chatLog: followed,
    authLog,
    giving: underWay,
    moved,
    load,
    arrive,
    peer: connection.client,
    peers,
    isDraining: false,
    connect: connectClient,
    identify: (token) => {
      const client = connectClient();
      gateway.identify(client, { token, shard: undefined });
      return answered(client);
    },
    resume: (token, session_id, seq) => {
      const client = connectClient();
      gateway.resume(client, { token, session_id, seq });
      return answered(client);
    },
  };
  return made;
}
