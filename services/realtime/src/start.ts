import type { Running } from '@gatehouse/kit/lifecycle';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { withTimeout } from '@gatehouse/kit/with-timeout';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { peerRules } from '@gatehouse/proto/peers';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import { type Config, DEFAULT_CONNECTIONS } from './config.ts';
import { fitDescriptors } from './connections/fit-descriptors.ts';
import { GatewayServer } from './connections/gateway-server.ts';
import { realtimeCounts, realtimeMetrics } from './metrics.ts';
import { openGateway } from './open-gateway.ts';
import { recently } from './recently.ts';
import { realtimeHandlers } from './rpc/index.ts';
import { handOver } from './session-transfer/hand-over.ts';
import { peers } from './session-transfer/peers.ts';
import { preparedAccounts } from './session-transfer/prepared-accounts.ts';

export interface Overrides extends ProcessOverrides {
  /** Over how long clients are told to go when the process stops, instead of three seconds. */
  readonly spread_ms?: number;
}

/** The rest of the ten seconds that a process has is for sessions that are given to other replicas. */
const SPREAD_MS = 3_000;
/** Whoever looks for such a session has given up by then. */
const MOVED_KEPT_MS = 3_000;
/** For resumes that were under way. */
const SETTLED_WITHIN_MS = 2_000;

export interface RunningRealtime extends Running {
  /** host:port of the WebSocket Gateway. */
  readonly gateway_address: string;
}

/** Follows the event logs, and serves the WebSocket Gateway. */
export async function start(config: Config, overrides: Overrides = {}): Promise<RunningRealtime> {
  let gateway_address = '';
  const running = await startProcess({ name: 'realtime', config, ...overrides }, async (runtime) => {
    const { log, resources, registry: prometheus, isMeasured, isDraining } = runtime;
    const { resume_gateway_url } = config;
    const { bounds, settings } = fitDescriptors(config.bounds, process.places.clients);
    if (bounds.max_connections < config.bounds.max_connections)
      log[config.bounds.max_connections === DEFAULT_CONNECTIONS ? 'info' : 'warn'](
        { connections: bounds.max_connections },
        'file descriptors allow fewer connections than are set',
      );
    const auth = runtime.client(AuthServiceDefinition, 'auth', config.auth_address);
    const chat = runtime.client(ChatServiceDefinition, 'chat', config.chat_address);
    const replicas = peers(config.peers_address, runtime.peer('realtime'));
    resources.add('replicas', replicas.close);
    const counts = realtimeCounts(prometheus);
    const { registry, world, gateway, texts, room, turns, arrive, authLog, chatLog } = openGateway({
      auth,
      chat,
      peers: replicas,
      bounds,
      resume_gateway_url,
      counts,
      log,
    });
    resources.add('sessions', gateway.close);
    // Together: an event of chat's may be waiting for auth's log.
    resources.add('event logs', () => Promise.all([authLog.close(), chatLog.close()]).then(() => undefined));

    const giving = new Set<string>();
    const moved = recently(MOVED_KEPT_MS);
    const prepared = preparedAccounts();
    resources.add('prepared accounts', prepared.close);
    const handlers = realtimeHandlers({
      registry,
      chatLog,
      arrive,
      prepared,
      moved,
      giving,
      isDraining,
      handedOver: counts.handedOver,
    });
    const address = await runtime.serve(
      config.listen,
      [implement(RealtimeServiceDefinition, handlers)],
      peerRules('realtime'),
    );

    const server = new GatewayServer({
      gateway,
      bounds,
      trusted_proxies: config.trusted_proxies,
      deflate: config.deflate,
      settings,
      log,
    });
    await server.listen(config.gateway_listen);
    resources.add('connections', () => server.close());
    process.onDrain(() => server.stopAccepting());
    resources.add('clients', async () => {
      await server.drain(overrides.spread_ms ?? SPREAD_MS);
      // A session that is on its way here must go on from here.
      await withTimeout(SETTLED_WITHIN_MS, gateway.settled());
      const options = { registry, chatLog, peers: replicas, giving, moved, log };
      counts.handedOver(await handOver(options));
    });
    if (isMeasured)
      realtimeMetrics(prometheus, {
        registry,
        world,
        connections: server,
        kept_bytes: texts.bytes,
        state_bytes: room.bytes,
        ready_bytes: turns.bytes,
        applied: chatLog.applied,
        ages_ms: { chat: chatLog.age_ms, auth: authLog.age_ms },
      });
    gateway_address = server.address;
    return address;
  });
  return { ...running, gateway_address };
}
