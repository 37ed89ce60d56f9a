import { usersOf } from '@gatehouse/auth-client/users';
import type { Running } from '@gatehouse/kit/lifecycle';
import type { Logger } from '@gatehouse/kit/log';
import { startProcess } from '@gatehouse/kit/process/process';
import { implement } from '@gatehouse/kit/rpc';
import { within } from '@gatehouse/kit/within';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { peerRules } from '@gatehouse/proto/peers';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import type { Config } from './config.ts';
import { openConnections } from './connections/connections.ts';
import { followAuth } from './following/auth-log.ts';
import { type ChatLog, followChat } from './following/chat-log.ts';
import { loads } from './following/load-accounts.ts';
import { reachEnd } from './following/reach-end.ts';
import { readAgain } from './following/read-again.ts';
import { arrival } from './hand-over/arrivals.ts';
import { claim } from './hand-over/claim.ts';
import { handOver } from './hand-over/hand-over.ts';
import { peers } from './hand-over/peers.ts';
import { preparedAccounts } from './hand-over/prepared-accounts.ts';
import { realtimeCounts, realtimeMetrics } from './metrics.ts';
import { recently } from './recently.ts';
import { realtimeHandlers } from './rpc/index.ts';
import type { Audience } from './sessions/audience.ts';
import { credentials } from './sessions/credential.ts';
import { keptTexts } from './sessions/kept-texts.ts';
import { registry } from './sessions/registry.ts';
import { sessions } from './sessions/sessions.ts';
import { createWorld } from './world/world.ts';

export interface Overrides {
  readonly log?: Logger;
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
  const running = await startProcess({ name: 'realtime', config, log: overrides.log }, async (process) => {
    const { log, resources, registry: prometheus, isMeasured, isDraining } = process;
    const { bounds, resume_gateway_url } = config;
    const auth = process.client(AuthServiceDefinition, 'auth', config.auth_address);
    const chat = process.client(ChatServiceDefinition, 'chat', config.chat_address);
    const replicas = peers(config.peers_address, process.peer('realtime'));
    resources.add('replicas', replicas.close);
    const users = usersOf(auth);
    const world = createWorld<Audience>();
    const known = registry(world);
    const counts = realtimeCounts(prometheus);

    // Events are not followed before all is there that they are told to.
    const following: { chatLog?: ChatLog } = {};
    const chatLog = (): ChatLog => {
      if (following.chatLog === undefined) throw new Error('the log is not followed yet');
      return following.chatLog;
    };
    const load = loads({ chat, world, chatLog });
    const keeping = { max_positions: bounds.max_positions, texts: keptTexts() };
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
      credentials: credentials(auth),
      users,
      loadAccount: load.account,
      chatLog,
      reachEnd: reachEnd(chat, chatLog),
      readAgain: readAgain(chat, users),
      claim: claim(replicas, known, arrive),
      resume_gateway_url,
      bounds,
      keeping,
      counts,
      log,
    });
    resources.add('sessions', gateway.close);
    const authLog = followAuth({
      auth,
      credentialEnded: gateway.credentialEnded,
      userUpdated: gateway.userUpdated,
      missed: gateway.endAll,
      log,
    });
    resources.add('auth log', authLog.close);
    following.chatLog = followChat({
      chat,
      users,
      world,
      loadGuild: load.guild,
      mayTell: authLog.isYoung,
      missed: gateway.endAll,
      delivered: counts.delivered,
      log,
    });
    resources.add('chat log', () => chatLog().close());

    const giving = new Set<string>();
    const moved = recently(MOVED_KEPT_MS);
    const prepared = preparedAccounts();
    resources.add('prepared accounts', prepared.close);
    const handlers = realtimeHandlers({
      registry: known,
      chatLog: chatLog(),
      arrive,
      prepared,
      moved,
      giving,
      isDraining,
      handedOver: counts.handedOver,
    });
    const address = await process.serve(
      config.listen,
      [implement(RealtimeServiceDefinition, handlers)],
      peerRules('realtime'),
    );

    const connections = await openConnections({
      listen: config.gateway_listen,
      gateway,
      bounds,
      trusted_proxies: config.trusted_proxies,
      deflate: config.deflate,
      log,
    });
    resources.add('connections', connections.close);
    process.onDrain(connections.stopAccepting);
    resources.add('clients', async () => {
      await connections.drain(overrides.spread_ms ?? SPREAD_MS);
      // A session that is on its way here must go on from here.
      await within(SETTLED_WITHIN_MS, gateway.settled());
      const options = { registry: known, chatLog: chatLog(), peers: replicas, giving, moved, log };
      counts.handedOver(await handOver(options));
    });
    if (isMeasured)
      realtimeMetrics(prometheus, {
        registry: known,
        world,
        connections,
        kept_bytes: keeping.texts.bytes,
        applied: chatLog().applied,
        ages_ms: { chat: chatLog().age_ms, auth: authLog.age_ms },
      });
    gateway_address = connections.address;
    return address;
  });
  return { ...running, gateway_address };
}
