import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { CurrentUser } from '@gatehouse/proto/auth';
import { dispatchOf } from '../connections/dispatch.ts';
import { userDigest, userUpdate } from '../payloads/user-payload.ts';
import type { Credentials } from './credential.ts';
import type { Registry } from './registry.ts';

export interface UserUpdates {
  /** An account has changed: its sessions are told. */
  updated(account_id: string): void;
  /** Settles once the account's sessions are told of all changes that were committed when it was called. */
  reachNow(account_id: string): Promise<void>;
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

/** Is told that a reading has been told, or what failed. */
type SessionEvent = (error?: unknown) => void;

const nobody: SessionEvent = () => undefined;
const RETRY_MS = 200;

/** Tells sessions of changes of their own accounts: USER_UPDATE. Changes of one moment are told once, and none that shows nothing. */
export function userUpdates({ registry, credentials, log }: UserUpdatesOptions): UserUpdates {
  const watches = new Map<string, Set<{ isStale: boolean }>>();
  /** Accounts that are being read, and who waits for the next reading. */
  const reading = new Map<string, SessionEvent[]>();
  const closing = new AbortController();
  const complain = throttledLog<unknown>((times, error) =>
    log.warn({ err: error, times }, 'a changed account cannot be read; trying again'),
  );

  /** `told` is called once what is read from now on has been told, or with what failed. */
  function read(account_id: string, told: SessionEvent): void {
    const under = reading.get(account_id);
    if (under !== undefined) {
      under.push(told);
      return;
    }
    const waiting = [told];
    reading.set(account_id, waiting);
    void tell(account_id, waiting);
  }

  async function tell(account_id: string, waiting: SessionEvent[]): Promise<void> {
    while (waiting.length > 0) {
      const those = waiting.splice(0);
      try {
        await tellOnce(account_id);
        for (const told of those) told();
      } catch (error) {
        for (const told of those) told(error);
        if (closing.signal.aborted) break;
        complain(error);
        await sleep(RETRY_MS);
        waiting.push(nobody);
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
      read(account_id, nobody);
    },
    reachNow: (account_id) =>
      new Promise((resolve, reject) => {
        read(account_id, (error) => (error === undefined ? resolve() : reject(error)));
      }),
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
