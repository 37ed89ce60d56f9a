import { silentLogger } from '@gatehouse/kit/log';
import { type Client, connect, implement, serve } from '@gatehouse/kit/rpc';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import { onTestFinished } from 'vitest';
import type { Bounds } from '../../src/config.ts';
import type { AuthLog } from '../../src/following/auth-log.ts';
import type { ChatLog } from '../../src/following/chat-log.ts';
import type { EventReceiver } from '../../src/following/event-receiver.ts';
import type { StateBudget } from '../../src/following/state-budget.ts';
import type { StateLoader } from '../../src/following/state-loader.ts';
import { openSessions } from '../../src/open-sessions.ts';
import { RecentIds } from '../../src/recent-ids.ts';
import { realtimeHandlers } from '../../src/rpc/index.ts';
import type { PreparedAccount } from '../../src/session-transfer/prepared-account.ts';
import { PreparedAccounts } from '../../src/session-transfer/prepared-accounts.ts';
import type { ReadyBudget } from '../../src/sessions/ready-budget.ts';
import type { SessionHandler } from '../../src/sessions/session-handler.ts';
import type { SessionRegistry } from '../../src/sessions/session-registry.ts';
import type { World } from '../../src/world/world.ts';
import type { ScriptedAuth } from './scripted-auth.ts';
import type { ScriptedChat } from './scripted-chat.ts';
import { type TestConnection, testConnection } from './test-connection.ts';
import { until } from './until.ts';

/** A replica of realtime without its WebSockets; all other parts are real. */
export interface Replica {
  readonly registry: SessionRegistry;
  readonly world: World<EventReceiver>;
  readonly sessionHandler: SessionHandler;
  readonly chatLog: ChatLog;
  readonly authLog: AuthLog;
  readonly inTransfer: Set<string>;
  readonly transferred: RecentIds;
  readonly loader: StateLoader;
  readonly stateBudget: StateBudget;
  readonly readyBudget: ReadyBudget;
  readonly prepareAccount: (account_id: string) => Promise<PreparedAccount>;
  /** A client of this replica's RPCs. */
  readonly peer: Client<typeof RealtimeServiceDefinition>;
  /** The replicas that it calls. */
  readonly peers: Client<typeof RealtimeServiceDefinition>[];
  isDraining: boolean;
  connect(): TestConnection;
  /** Identifies, and waits for READY. */
  identify(token: string): Promise<TestConnection>;
  /** Resumes, and waits for the answer. */
  resume(token: string, session_id: string, seq: number): Promise<TestConnection>;
}

const BOUNDS: Bounds = {
  max_connections: 1_000,
  max_connections_per_address: 1_000,
  max_sessions_per_account: 100,
  max_identifies: 64,
  max_positions: 20_000,
  max_kept_bytes: 128 * 1024 * 1024,
  max_state_bytes: 128 * 1024 * 1024,
  max_ready_bytes: 32 * 1024 * 1024,
  max_waiting_bytes: 128 * 1024 * 1024,
};

export async function replica(
  chat: ScriptedChat,
  auth: ScriptedAuth,
  bounds: Partial<Bounds> = {},
): Promise<Replica> {
  const log = silentLogger;
  const peers: Client<typeof RealtimeServiceDefinition>[] = [];
  const {
    registry,
    world,
    sessionHandler,
    stateBudget,
    readyBudget,
    loader,
    prepareAccount,
    authLog,
    chatLog,
  } = openSessions({
    auth: auth.client,
    chat: chat.client,
    peers: { all: async () => peers },
    bounds: { ...BOUNDS, ...bounds },
    resume_gateway_url: 'ws://127.0.0.1:1/gateway',
    counts: { identified: () => undefined, resumed: () => undefined, delivered: () => undefined },
    log,
  });
  for (const one of [sessionHandler, authLog, chatLog]) onTestFinished(() => one.close());
  const inTransfer = new Set<string>();
  const transferred = new RecentIds(3_000);
  const prepared = new PreparedAccounts();
  onTestFinished(() => prepared.close());
  const handlers = realtimeHandlers({
    registry,
    peers: { all: async () => peers },
    chatLog,
    prepareAccount,
    prepared,
    inTransfer,
    transferred,
    isDraining: () => made.isDraining,
    countTransferred: () => undefined,
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

  const connectClient = (): TestConnection =>
    testConnection((ended) => sessionHandler.ended(ended, undefined));
  const made: Replica = {
    registry,
    world,
    sessionHandler,
    chatLog,
    authLog,
    inTransfer,
    transferred,
    loader,
    stateBudget,
    readyBudget,
    prepareAccount,
    peer: connection.client,
    peers,
    isDraining: false,
    connect: connectClient,
    identify: (token) => {
      const client = connectClient();
      sessionHandler.identify(client, { token, shard: undefined });
      return answered(client);
    },
    resume: (token, session_id, seq) => {
      const client = connectClient();
      sessionHandler.resume(client, { token, session_id, seq });
      return answered(client);
    },
  };
  return made;
}
