import type { Running } from '@gatehouse/kit/lifecycle';
import type { Logger } from '@gatehouse/kit/log';
import type { Runtime } from '@gatehouse/kit/process/runtime';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { withTimeout } from '@gatehouse/kit/with-timeout';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { peerRules } from '@gatehouse/proto/peers';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import { type Bounds, type Config, DEFAULT_CONNECTIONS } from './config.ts';
import { fitDescriptors } from './connections/fit-descriptors.ts';
import { GatewayServer } from './connections/gateway-server.ts';
import { realtimeCounts, realtimeMetrics } from './metrics.ts';
import { openSessions } from './open-sessions.ts';
import { RecentIds } from './recent-ids.ts';
import { realtimeHandlers } from './rpc/index.ts';
import { Peers } from './session-transfer/peers.ts';
import { PreparedAccounts } from './session-transfer/prepared-accounts.ts';
import { transferSessions } from './session-transfer/transfer-sessions.ts';

export interface Overrides extends ProcessOverrides {
  /** Overrides the time over which a stopping process asks its clients to reconnect, three seconds. */
  readonly spread_ms?: number;
}

/** The rest of the process's ten seconds of shutdown is for transferring sessions. */
const SPREAD_MS = 3_000;
/** A replica that asks for the session within this time tries again, since it may still be on its way. */
const TRANSFERRED_KEPT_MS = 3_000;
/** Time for pending resumes. */
const SETTLED_WITHIN_MS = 2_000;

export interface RunningRealtime extends Running {
  /** host:port of the WebSocket Gateway. */
  readonly gateway_address: string;
}

/** Follows the event logs, and serves the WebSocket Gateway. */
export async function start(config: Config, overrides: Overrides = {}): Promise<RunningRealtime> {
  let gateway_address = '';
  const running = await startProcess({ name: 'realtime', config, ...overrides }, async (runtime) => {
    const opened = await openRealtime(runtime, config, overrides);
    gateway_address = opened.gateway_address;
    return opened.address;
  });
  return { ...running, gateway_address };
}

interface OpenRealtime {
  readonly address: string;
  readonly gateway_address: string;
}

/** Opens everything in order. The runtime closes it in reverse. */
async function openRealtime(runtime: Runtime, config: Config, overrides: Overrides): Promise<OpenRealtime> {
  const { log, resources } = runtime;
  const { bounds, settings } = fitDescriptors(config.bounds, runtime.connectionLimits.clients);
  logLoweredBound(log, bounds, config.bounds);
  const peers = new Peers(config.peers_address, runtime.peer('realtime'));
  resources.add('peers', () => peers.close());
  const counts = realtimeCounts(runtime.registry);
  const opened = openSessions({
    auth: runtime.client(AuthServiceDefinition, 'auth', config.auth_address),
    chat: runtime.client(ChatServiceDefinition, 'chat', config.chat_address),
    peers,
    bounds,
    resume_gateway_url: config.resume_gateway_url,
    counts,
    log,
  });
  const { registry, sessionHandler, chatLog, authLog, prepareAccount } = opened;
  resources.add('sessions', () => sessionHandler.close());
  // Together: an event of chat's may be waiting for auth's log.
  resources.add('event logs', async () => void (await Promise.all([authLog.close(), chatLog.close()])));

  const transfer = { inTransfer: new Set<string>(), transferred: new RecentIds(TRANSFERRED_KEPT_MS) };
  const prepared = new PreparedAccounts();
  resources.add('prepared accounts', () => prepared.close());
  const { isDraining } = runtime;
  const countTransferred = counts.transferred;
  const handlers = realtimeHandlers({
    registry,
    peers,
    chatLog,
    prepareAccount,
    prepared,
    ...transfer,
    isDraining,
    countTransferred,
  });
  const implementations = [implement(RealtimeServiceDefinition, handlers)];
  const address = await runtime.serve(config.listen, implementations, peerRules('realtime'));

  const { trusted_proxies, deflate } = config;
  const server = new GatewayServer({
    handler: sessionHandler,
    bounds,
    trusted_proxies,
    deflate,
    settings,
    log,
  });
  await server.listen(config.gateway_listen);
  resources.add('connections', () => server.close());
  runtime.onDrain(() => server.stopAccepting());
  resources.add('clients', async () => {
    await server.drain(overrides.spread_ms ?? SPREAD_MS);
    // A session that is being transferred here must be resumable before it is transferred on.
    await withTimeout(SETTLED_WITHIN_MS, sessionHandler.settled());
    countTransferred(await transferSessions({ registry, chatLog, peers, ...transfer, log }));
  });
  if (runtime.hasMetrics) realtimeMetrics(runtime.registry, { ...opened, connections: server });
  return { address, gateway_address: server.address };
}

/** The default exceeds what many systems allow, so only a configured maximum is worth a warning. */
function logLoweredBound(log: Logger, { max_connections }: Bounds, configured: Bounds): void {
  if (max_connections >= configured.max_connections) return;
  const level = configured.max_connections === DEFAULT_CONNECTIONS ? 'info' : 'warn';
  log[level]({ connections: max_connections }, 'file descriptors allow fewer connections than configured');
}
