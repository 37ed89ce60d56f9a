import { usersOf } from '@gatehouse/auth-client/users';
import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Bounds } from './config.ts';
import { CloseCode } from './connections/connection.ts';
import { type AuthLog, followAuth } from './following/auth-log.ts';
import { catchUpToHead } from './following/catch-up-to-head.ts';
import { type ChatLog, followChat } from './following/chat-log.ts';
import type { EventReceiver } from './following/event-receiver.ts';
import { type Loads, loads } from './following/load-accounts.ts';
import { type StateRoom, stateRoom } from './following/state-room.ts';
import type { Counts } from './metrics.ts';
import { type Arrival, arrival } from './session-transfer/arrivals.ts';
import { claim } from './session-transfer/claim.ts';
import type { Peers } from './session-transfer/peers.ts';
import { credentials } from './sessions/credential.ts';
import { fetchEvents } from './sessions/fetch-events.ts';
import { type KeptTexts, keptTexts } from './sessions/kept-texts.ts';
import { type ReadyTurns, readyTurns } from './sessions/ready-turns.ts';
import { type Registry, registry } from './sessions/registry.ts';
import { type Sessions, sessions } from './sessions/sessions.ts';
import { createWorld, type World } from './world/world.ts';

export interface GatewayOptions {
  readonly auth: Client<typeof AuthServiceDefinition>;
  readonly chat: Client<typeof ChatServiceDefinition>;
  /** The replicas that are asked for sessions. */
  readonly peers: Peers;
  readonly bounds: Bounds;
  readonly resume_gateway_url: string;
  readonly counts: Omit<Counts, 'handedOver'>;
  readonly log: Logger;
}

/** The sessions of a replica, and the logs that they are told from; its WebSockets and RPCs stand on it. */
export interface OpenGateway {
  readonly registry: Registry;
  readonly world: World<EventReceiver>;
  readonly gateway: Sessions;
  readonly texts: KeptTexts;
  readonly room: StateRoom;
  readonly turns: ReadyTurns;
  readonly load: Loads;
  readonly arrive: (account_id: string) => Promise<Arrival>;
  readonly authLog: AuthLog;
  readonly chatLog: ChatLog;
}

/** Follows both logs from now on. Close `authLog` and `chatLog` together, and then `gateway`. */
export function openGateway(options: GatewayOptions): OpenGateway {
  const { auth, chat, peers, bounds, resume_gateway_url, counts, log } = options;
  const users = usersOf(auth);
  const world = createWorld<EventReceiver>();
  const known = registry(world);
  // Events are not followed before all is there that they are told to.
  const following: { chatLog?: ChatLog } = {};
  const chatLog = (): ChatLog => {
    if (following.chatLog === undefined) throw new Error('the log is not followed yet');
    return following.chatLog;
  };
  const turns = readyTurns(bounds.max_ready_bytes);
  const endSessions = (account_id: string): void => {
    for (const session of known.ofAccount(account_id)) known.end(session)?.close(CloseCode.UNKNOWN_ERROR);
  };
  const room = stateRoom({ world, max_bytes: bounds.max_state_bytes, endSessions });
  const load = loads({ chat, world, chatLog, room, endSessions });
  const texts = keptTexts();
  const keeping = { max_positions: bounds.max_positions, texts };
  const arrive = (account_id: string) =>
    arrival(account_id, {
      registry: known,
      world,
      chatLog,
      loadAccount: load.account,
      keeping,
    });
  const gateway = sessions({
    registry: known,
    world,
    credentials: credentials(auth),
    users,
    loadAccount: load.account,
    turns,
    chatLog,
    catchUpToHead: catchUpToHead(chat, chatLog),
    fetchEvents: fetchEvents(chat, users),
    claim: claim(peers, known, arrive),
    resume_gateway_url,
    bounds,
    keeping,
    counts,
    log,
  });
  const authLog = followAuth({
    auth,
    credentialEnded: gateway.credentialEnded,
    userUpdated: gateway.userUpdated,
    onEventsLost: gateway.endAll,
    log,
  });
  following.chatLog = followChat({
    chat,
    users,
    world,
    loadGuild: load.guild,
    revocationsApplied: authLog.revocationsApplied,
    onEventsLost: gateway.endAll,
    delivered: counts.delivered,
    log,
  });
  return {
    registry: known,
    world,
    gateway,
    texts,
    room,
    turns,
    load,
    arrive,
    authLog,
    chatLog: following.chatLog,
  };
}
