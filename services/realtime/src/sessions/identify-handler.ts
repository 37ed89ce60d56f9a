import type { Users } from '@gatehouse/auth-client/users';
import { unavailable } from '@gatehouse/kit/fault';
import type { Bounds } from '../config.ts';
import { CloseCode, type Identify } from '../connections/connection.ts';
import type { ChatLog } from '../following/chat-log.ts';
import type { EventReceiver } from '../following/event-receiver.ts';
import { accountBytes } from '../world/state-bytes.ts';
import type { World } from '../world/world.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import { createSession } from './create-session.ts';
import type { Credential, Credentials } from './credentials.ts';
import { limitKeptDispatches } from './limit-kept-dispatches.ts';
import type { ReadyBudget } from './ready-budget.ts';
import { releaseOnceRead } from './release-once-read.ts';
import type { ReplayBufferOptions } from './replay-buffer.ts';
import type { Session } from './session.ts';
import type { SessionRegistry } from './session-registry.ts';
import { fetchShownUsers, isComplete } from './shown-users.ts';
import type { UserUpdates } from './user-updates.ts';
import type { UserWatch } from './user-watches.ts';

export interface IdentifyHandlerOptions {
  readonly registry: SessionRegistry;
  readonly world: World<EventReceiver>;
  readonly credentials: Credentials;
  readonly users: Users;
  /** Loads an account into the world. */
  readonly loadAccount: (account_id: string) => Promise<void>;
  readonly readyBudget: ReadyBudget;
  readonly chatLog: Pick<ChatLog, 'betweenTransactions'>;
  readonly resume_gateway_url: string;
  readonly bounds: Bounds;
  readonly buffer: ReplayBufferOptions;
  readonly updates: Pick<UserUpdates, 'watch'>;
  readonly hasEnded: (credential_id: string) => boolean;
}

export interface IdentifyingClient {
  readonly identify: Identify;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Attaches the session in the turn that creates it, so that no other Identify ends it as unused. */
  readonly connect: (session: Session) => void;
}

/** A session, or the code to close the connection with; undefined if the client has disconnected. */
export type IdentifyOutcome = Session | CloseCode | undefined;

const CREATE_TIMEOUT_MS = 10_000;

/** Creates sessions for clients that identify. */
export class IdentifyHandler {
  readonly #options: IdentifyHandlerOptions;

  constructor(options: IdentifyHandlerOptions) {
    this.#options = options;
  }

  async identify(client: IdentifyingClient): Promise<IdentifyOutcome> {
    const { credentials, registry, updates, readyBudget } = this.#options;
    const credential = await credentials.identify(client.identify.token);
    if (credential === undefined) return CloseCode.AUTHENTICATION_FAILED;
    const releaseAccount = registry.hold(credential.account_id);
    const watch = updates.watch(credential.account_id);
    let releaseReady: (() => void) | undefined;
    try {
      const account = await this.#load(credential.account_id);
      releaseReady = await readyBudget.take(account.id, accountBytes(account), client.signal);
      const outcome = await this.#createCurrent(client, credential, account, watch);
      if (typeof outcome === 'object' && releaseReady !== undefined)
        releaseReady = releaseOnceRead(outcome, releaseReady);
      return outcome;
    } finally {
      releaseReady?.();
      watch.stop();
      releaseAccount();
    }
  }

  /** The account is held, so it stays in the world unless events are lost. */
  async #load(account_id: string): Promise<FollowedAccount<EventReceiver>> {
    await this.#options.loadAccount(account_id);
    const account = this.#options.world.account(account_id);
    if (account === undefined) throw unavailable(new Error('events were lost'));
    return account;
  }

  /** Tries again if the user, or the users shown to it, have changed since they were read. */
  async #createCurrent(
    client: IdentifyingClient,
    credential: Credential,
    account: FollowedAccount<EventReceiver>,
    watch: UserWatch,
  ): Promise<IdentifyOutcome> {
    const { signal } = client;
    for (;;) {
      watch.restart();
      const user = await this.#options.credentials.currentUser(credential);
      const shown = await fetchShownUsers(account, this.#options.users);
      if (signal.aborted) return undefined;
      if (user === undefined) return CloseCode.AUTHENTICATION_FAILED;
      // Between two transactions, so that each is either in READY as a whole or comes after it.
      const outcome = await this.#betweenTransactions((): IdentifyOutcome => {
        if (signal.aborted || watch.isStale() || !isComplete(shown, account)) return undefined;
        const refusal = this.#refusal(credential, account);
        if (refusal !== undefined) return refusal;
        const { registry, buffer, bounds, resume_gateway_url } = this.#options;
        limitKeptDispatches(registry, buffer.kept, bounds.max_kept_bytes);
        const { shard } = client.identify;
        const options = { credential, user, shard, resume_gateway_url, buffer };
        const session = createSession(account, shown.found, options);
        registry.add(session);
        client.connect(session);
        return session;
      });
      if (outcome !== undefined) return outcome;
    }
  }

  async #betweenTransactions<T>(act: () => T): Promise<T> {
    const signal = AbortSignal.timeout(CREATE_TIMEOUT_MS);
    try {
      return await this.#options.chatLog.betweenTransactions(signal, act);
    } catch (error) {
      throw signal.aborted ? unavailable(error) : error;
    }
  }

  #refusal(
    { account_id, credential_id }: Credential,
    account: FollowedAccount<EventReceiver>,
  ): CloseCode | undefined {
    if (this.#options.hasEnded(credential_id)) return CloseCode.AUTHENTICATION_FAILED;
    if (this.#options.world.account(account_id) !== account) return CloseCode.UNKNOWN_ERROR;
    return this.#makeRoom(account_id) ? undefined : CloseCode.RATE_LIMITED;
  }

  /** At the account's session limit, ends its oldest disconnected session; false if there is none. */
  #makeRoom(account_id: string): boolean {
    const { registry, bounds } = this.#options;
    const sessions = registry.ofAccount(account_id);
    if (sessions.length < bounds.max_sessions_per_account) return true;
    const [oldest] = sessions
      .filter(({ connection }) => connection === undefined)
      .sort((one, other) => one.disconnectedAt_ms - other.disconnectedAt_ms);
    if (oldest === undefined) return false;
    registry.end(oldest);
    return true;
  }
}
