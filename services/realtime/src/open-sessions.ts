import { userReader } from '@gatehouse/auth-client/users';
import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Bounds } from './config.ts';
import { CloseCode } from './connections/connection.ts';
import { AuthLog } from './following/auth-log.ts';
import { catchUpToHead } from './following/catch-up-to-head.ts';
import { ChatLog } from './following/chat-log.ts';
import type { EventReceiver } from './following/event-receiver.ts';
import { StateBudget } from './following/state-budget.ts';
import { StateLoader } from './following/state-loader.ts';
import type { Peers } from './session-transfer/peers.ts';
import { type PreparedAccount, prepareAccount } from './session-transfer/prepared-account.ts';
import { SessionClaims } from './session-transfer/session-claims.ts';
import { credentials } from './sessions/credentials.ts';
import { fetchEvents } from './sessions/fetch-events.ts';
import { KeptDispatches } from './sessions/kept-dispatches.ts';
import { ReadyBudget } from './sessions/ready-budget.ts';
import { type SessionCounts, SessionHandler } from './sessions/session-handler.ts';
import { SessionRegistry } from './sessions/session-registry.ts';
import { World } from './world/world.ts';

export interface SessionsOptions {
  readonly auth: Client<typeof AuthServiceDefinition>;
  readonly chat: Client<typeof ChatServiceDefinition>;
  /** The replicas that sessions are claimed from. */
  readonly peers: Pick<Peers, 'all'>;
  readonly bounds: Bounds;
  readonly resume_gateway_url: string;
  readonly counts: SessionCounts & {
    /** Called for each delivered event with the time when it was written, ISO 8601. */
    delivered(created_at: string): void;
  };
  readonly log: Logger;
}

/** A replica's sessions and the logs that it follows, below its WebSockets and RPCs. */
export interface OpenSessions {
  readonly registry: SessionRegistry;
  readonly world: World<EventReceiver>;
  readonly sessionHandler: SessionHandler;
  readonly kept: KeptDispatches;
  readonly stateBudget: StateBudget;
  readonly readyBudget: ReadyBudget;
  readonly loader: StateLoader;
  readonly prepareAccount: (account_id: string) => Promise<PreparedAccount>;
  readonly authLog: AuthLog;
  readonly chatLog: ChatLog;
}

/** Follows both logs from now on. Close `authLog` and `chatLog` together, and then `sessionHandler`. */
export function openSessions(options: SessionsOptions): OpenSessions {
  const { auth, chat, peers, bounds, resume_gateway_url, counts, log } = options;
  const users = userReader(auth);
  const world = new World<EventReceiver>();
  const registry = new SessionRegistry(world);
  const chatLog = new ChatLog({ chat, users, world, delivered: counts.delivered, log });
  const endSessions = (account_id: string): void => {
    for (const session of registry.ofAccount(account_id))
      registry.end(session)?.close(CloseCode.UNKNOWN_ERROR);
  };
  const stateBudget = new StateBudget({ world, max_bytes: bounds.max_state_bytes, endSessions });
  const loader = new StateLoader({ chat, world, chatLog, budget: stateBudget, endSessions });
  const kept = new KeptDispatches();
  const common = {
    registry,
    world,
    chatLog,
    loadAccount: (account_id: string) => loader.account(account_id),
    buffer: { max_positions: bounds.max_positions, kept },
  };
  const prepare = (account_id: string) => prepareAccount(account_id, common);
  const claims = new SessionClaims({ peers, registry, prepareAccount: prepare });
  const readyBudget = new ReadyBudget(bounds.max_ready_bytes);
  const sessionHandler = new SessionHandler({
    ...common,
    credentials: credentials(auth),
    users,
    readyBudget,
    catchUpToHead: catchUpToHead(chat, chatLog),
    fetchEvents: fetchEvents(chat, users),
    claimSession: (wanted, credential) => claims.claim(wanted, credential),
    resume_gateway_url,
    bounds,
    counts,
    log,
  });
  const onEventsLost = () => sessionHandler.endAll();
  const authLog = new AuthLog({
    auth,
    credentialEnded: (credential_id) => sessionHandler.credentialEnded(credential_id),
    userUpdated: (account_id) => sessionHandler.userUpdated(account_id),
    onEventsLost,
    log,
  });
  chatLog.start({
    loadGuild: (guild_id, created) => loader.guild(guild_id, created),
    revocationsApplied: () => authLog.revocationsApplied(),
    onEventsLost,
  });
  return {
    registry,
    world,
    sessionHandler,
    kept,
    stateBudget,
    readyBudget,
    loader,
    prepareAccount: prepare,
    authLog,
    chatLog,
  };
}
