import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { CurrentUser } from '@gatehouse/proto/auth';
import { dispatchOf } from '../connections/dispatch.ts';
import { userDigest, userUpdate } from '../payloads/user-payload.ts';
import type { Credentials } from './credentials.ts';
import type { SessionRegistry } from './session-registry.ts';
import { type UserWatch, UserWatches } from './user-watches.ts';

export interface UserUpdatesOptions {
  readonly registry: SessionRegistry;
  readonly credentials: Credentials;
  readonly log: Logger;
}

const READ_RETRY_MS = 200;

/**
 * Sends USER_UPDATE to an account's sessions when its user has changed. Simultaneous changes are sent once, and an update that
 * shows nothing new is not sent.
 */
export class UserUpdates {
  readonly #options: UserUpdatesOptions;
  readonly #watches = new UserWatches();
  /** Accounts whose user is being read, with the waiters for their next read. */
  readonly #reading = new Map<string, PromiseWithResolvers<void>[]>();
  readonly #closing = new AbortController();
  readonly #warn: (error: unknown) => void;

  constructor(options: UserUpdatesOptions) {
    this.#options = options;
    this.#warn = throttledLog<unknown>((times, error) =>
      options.log.warn({ err: error, times }, 'a changed account cannot be read; trying again'),
    );
  }

  /** Call it when an account has changed. */
  changed(account_id: string): void {
    this.#watches.changed(account_id);
    this.sendCurrent(account_id).catch(() => undefined); // retried and logged
  }

  /** Settles once all changes committed before the call were sent to the account's sessions. */
  sendCurrent(account_id: string): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    const waiters = this.#reading.get(account_id);
    if (waiters !== undefined) waiters.push(waiter);
    else {
      const first = [waiter];
      this.#reading.set(account_id, first);
      void this.#readUntilCurrent(account_id, first);
    }
    return waiter.promise;
  }

  /** Watches an account for changes. */
  watch(account_id: string): UserWatch {
    return this.#watches.watch(account_id);
  }

  close(): void {
    this.#closing.abort();
  }

  async #readUntilCurrent(account_id: string, waiters: PromiseWithResolvers<void>[]): Promise<void> {
    for (let isDone = false; !isDone; ) {
      const current = waiters.splice(0);
      try {
        await this.#sendUpdate(account_id);
        for (const { resolve } of current) resolve();
        isDone = waiters.length === 0;
      } catch (error) {
        for (const { reject } of current) reject(error);
        if (this.#closing.signal.aborted) break;
        this.#warn(error);
        await sleep(READ_RETRY_MS);
      }
    }
    this.#reading.delete(account_id);
  }

  async #sendUpdate(account_id: string): Promise<void> {
    const user = await this.#currentUser(account_id);
    if (user === undefined) return;
    const { t, d } = userUpdate(user);
    const digest = userDigest(user);
    const dispatch = dispatchOf(t, d);
    for (const session of this.#options.registry.ofAccount(account_id)) {
      if (session.user_digest === digest) continue;
      session.user_digest = digest;
      session.receive({ entry: dispatch, dispatch, xact_id: undefined });
    }
  }

  /** Asks with each credential in turn, since the change itself may end some of them. */
  async #currentUser(account_id: string): Promise<CurrentUser | undefined> {
    const asked = new Set<string>();
    for (const { credential_id, is_bot } of this.#options.registry.ofAccount(account_id)) {
      if (asked.has(credential_id)) continue;
      asked.add(credential_id);
      const user = await this.#options.credentials.currentUser({ account_id, credential_id, is_bot });
      if (user !== undefined) return user;
    }
    return undefined;
  }
}
