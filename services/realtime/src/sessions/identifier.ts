import type { Users } from '@gatehouse/auth-client/users';
import { unavailable } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { Bounds } from '../config.ts';
import { CloseCode, type Identify } from '../connections/connection.ts';
import type { ChatLog } from '../following/chat-log.ts';
import type { EventReceiver } from '../following/event-receiver.ts';
import { accountBytes } from '../world/state-bytes.ts';
import type { World } from '../world/world.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import { areAllShown, begin, usersShownTo } from './begin.ts';
import type { Credential, Credentials } from './credential.ts';
import { forgetTexts } from './forget-texts.ts';
import type { Keeping } from './positions.ts';
import { NO_TURN, type ReadyTurns } from './ready-turns.ts';
import type { Registry } from './registry.ts';
import type { Session } from './session.ts';
import type { UserUpdates } from './user-updates.ts';

export interface IdentifierOptions {
  readonly registry: Registry;
  readonly world: World<EventReceiver>;
  readonly credentials: Credentials;
  readonly users: Users;
  /** Brings an account into the world. */
  readonly loadAccount: (account_id: string) => Promise<void>;
  readonly turns: ReadyTurns;
  readonly chatLog: () => Pick<ChatLog, 'betweenTransactions'>;
  readonly resume_gateway_url: string;
  readonly bounds: Bounds;
  readonly keeping: Keeping;
  readonly log: Logger;
  readonly updates: Pick<UserUpdates, 'watch'>;
  readonly hasEnded: (credential_id: string) => boolean;
}

/** Who identifies. */
export interface Identifying {
  /** Aborted once nobody wants a session any more. */
  readonly signal: AbortSignal;
  /** The session is its own, from the moment it is made: no other Identify takes it for one that nobody uses. */
  connect(session: Session): void;
}

const WITHIN_MS = 10_000;

/**
 * Makes the function that makes sessions. It gives the code that the connection is closed with where it makes none, and
 * undefined where nobody wants it any more.
 */
export function identifier(
  options: IdentifierOptions,
): (asked: Identify, client: Identifying) => Promise<Session | CloseCode | undefined> {
  const { registry, world, credentials, updates, bounds, keeping } = options;

  return async (asked, { signal, connect }) => {
    const credential = await credentials.identify(asked.token);
    if (credential === undefined) return CloseCode.AUTHENTICATION_FAILED;
    const letGo = registry.hold(credential.account_id);
    const watch = updates.watch(credential.account_id);
    let endTurn = NO_TURN;
    try {
      const account = await accountOf(credential);
      endTurn = await options.turns.enter(account.id, accountBytes(account), signal);
      for (;;) {
        watch.begin();
        const user = await credentials.currentUser(credential);
        const users = await usersShownTo(account, options.users);
        if (signal.aborted) return undefined;
        if (user === undefined) return CloseCode.AUTHENTICATION_FAILED;
        // Between two responses of the log: what one transaction tells is behind the session, or before it.
        const made = await betweenTransactions(() => {
          if (signal.aborted || watch.isStale() || !areAllShown(account, users)) return undefined;
          const refusal = refusalOf(credential, account);
          if (refusal !== undefined) return refusal;
          forgetTexts(registry, keeping.texts, bounds.max_kept_bytes);
          const { resume_gateway_url } = options;
          const { shard } = asked;
          const beginning = { credential, user, shard, resume_gateway_url, keeping };
          const session = begin(account, users.known, beginning);
          registry.add(session);
          connect(session);
          return session;
        });
        if (made === undefined) continue;
        if (typeof made !== 'number' && endTurn !== NO_TURN) endTurn = onceTaken(made, endTurn);
        return made;
      }
    } finally {
      endTurn();
      watch.stop();
      letGo();
    }
  };

  async function betweenTransactions<T>(act: () => T): Promise<T> {
    const signal = AbortSignal.timeout(WITHIN_MS);
    try {
      return await options.chatLog().betweenTransactions(signal, act);
    } catch (error) {
      throw signal.aborted ? unavailable(error) : error;
    }
  }

  /** It is held: it stays in the world, unless all of that is void. */
  async function accountOf({ account_id }: Credential): Promise<FollowedAccount<EventReceiver>> {
    await options.loadAccount(account_id);
    const account = world.account(account_id);
    if (account === undefined) throw unavailable(new Error('events were missed'));
    return account;
  }

  function refusalOf(
    { account_id, credential_id }: Credential,
    account: FollowedAccount<EventReceiver>,
  ): CloseCode | undefined {
    if (options.hasEnded(credential_id)) return CloseCode.AUTHENTICATION_FAILED;
    if (world.account(account_id) !== account) return CloseCode.UNKNOWN_ERROR;
    return makeRoom(account_id) ? undefined : CloseCode.RATE_LIMITED;
  }

  /** Sessions without a connection make room, the oldest first. */
  function makeRoom(account_id: string): boolean {
    const all = registry.ofAccount(account_id);
    if (all.length < bounds.max_sessions_per_account) return true;
    const [oldest] = all
      .filter(({ connection }) => connection === undefined)
      .sort((one, other) => one.disconnectedAt_ms - other.disconnectedAt_ms);
    if (oldest === undefined) return false;
    registry.end(oldest);
    return true;
  }
}

/** What waits for a client when it has taken most of its READY. */
const TAKEN_BYTES = 256 * 1024;
const LOOK_EVERY_MS = 10;
/** A client that reads slowly does not keep the others waiting: its bytes are bounded with all that wait for clients. */
const TAKEN_WITHIN_MS = 1_000;

/** Ends a turn when the client has taken most of what was made. Returns what is to be done at once. */
function onceTaken(session: Session, endTurn: () => void): () => void {
  const until_ms = performance.now() + TAKEN_WITHIN_MS;
  const look = (): void => {
    const { connection, sent } = session;
    const waits = connection === undefined ? 0 : sent === 0 || connection.waitingBytes() > TAKEN_BYTES;
    if (waits && performance.now() < until_ms) setTimeout(look, LOOK_EVERY_MS).unref();
    else endTurn();
  };
  return () => setImmediate(look);
}
