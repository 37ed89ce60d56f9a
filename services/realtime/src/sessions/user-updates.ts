import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gatehouse/kit/log';
import { sparingly } from '@gatehouse/kit/log-sparingly';
import type { CurrentUser } from '@gatehouse/proto/auth';
import { dispatchOf } from '../connections/dispatch.ts';
import { userDigest, userUpdate } from '../payloads/user-payload.ts';
import { recently } from '../recently.ts';
import type { Credentials } from './credential.ts';
import type { Registry } from './registry.ts';

export interface UserUpdates {
  /** An account has changed: its sessions are told. */
  updated(account_id: string): void;
  /** A session was taken over from another replica, which may not have told it of a change. */
  arrived(account_id: string): void;
  /** Says whether an account has changed meanwhile. */
  watch(account_id: string): UserWatch;
  close(): void;
}

export interface UserWatch {
  /** From now on. */
  begin(): void;
  isStale(): boolean;
  stop(): void;
}

export interface UserUpdatesOptions {
  readonly registry: Registry;
  readonly credentials: Credentials;
  readonly log: Logger;
}

const RETRY_MS = 200;
/** Longer than a replica takes to tell of a change. */
const CHANGED_KEPT_MS = 10_000;

/** Tells sessions of changes of their own accounts: USER_UPDATE. Changes of one moment are told once, and none that shows nothing. */
export function userUpdates({ registry, credentials, log }: UserUpdatesOptions): UserUpdates {
  const changed = recently(CHANGED_KEPT_MS);
  const watches = new Map<string, Set<{ isStale: boolean }>>();
  /** Accounts that are being read, and whether they have changed again since. */
  const reading = new Map<string, boolean>();
  const closing = new AbortController();
  const complain = sparingly<unknown>((times, error) =>
    log.warn({ err: error, times }, 'a changed account cannot be read; trying again'),
  );

  function read(account_id: string): void {
    if (registry.ofAccount(account_id).length === 0) return;
    const isReading = reading.has(account_id);
    reading.set(account_id, true);
    if (!isReading) void tell(account_id);
  }

  async function tell(account_id: string): Promise<void> {
    while (reading.get(account_id) === true) {
      reading.set(account_id, false);
      try {
        await tellOnce(account_id);
      } catch (error) {
        if (closing.signal.aborted) return;
        complain(error);
        reading.set(account_id, true);
        await sleep(RETRY_MS);
      }
    }
    reading.delete(account_id);
  }

  async function tellOnce(account_id: string): Promise<void> {
    const user = await currentUser(account_id);
    if (user === undefined) return;
    const { t, d } = userUpdate(user);
    const digest = userDigest(user);
    const dispatch = dispatchOf(t, d);
    for (const session of registry.ofAccount(account_id)) {
      if (session.user_digest === digest) continue;
      session.user_digest = digest;
      session.tell({ position: dispatch, dispatch, xact_id: undefined });
    }
  }

  /** Asked for by each credential in turn: those may end by the very change. */
  async function currentUser(account_id: string): Promise<CurrentUser | undefined> {
    const asked = new Set<string>();
    for (const { credential_id, is_bot } of registry.ofAccount(account_id)) {
      if (asked.has(credential_id)) continue;
      asked.add(credential_id);
      const user = await credentials.currentUser({ account_id, credential_id, is_bot });
      if (user !== undefined) return user;
    }
    return undefined;
  }

  return {
    updated: (account_id) => {
      for (const watch of watches.get(account_id) ?? []) watch.isStale = true;
      changed.add(account_id);
      read(account_id);
    },
    arrived: (account_id) => {
      if (changed.has(account_id)) read(account_id);
    },
    watch: (account_id) => {
      const watch = { isStale: false };
      const all = watches.get(account_id) ?? new Set();
      watches.set(account_id, all.add(watch));
      return {
        begin: () => {
          watch.isStale = false;
        },
        isStale: () => watch.isStale,
        stop: () => {
          all.delete(watch);
          if (all.size === 0 && watches.get(account_id) === all) watches.delete(account_id);
        },
      };
    },
    close: () => closing.abort(),
  };
}
