import { setTimeout as sleep } from 'node:timers/promises';
import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition, Event } from '@gatehouse/proto/auth';
import { LogReader, type LogResponse } from './log-reader.ts';

export interface AuthLogOptions {
  readonly auth: Client<typeof AuthServiceDefinition>;
  readonly credentialEnded: (credential_id: string) => void;
  readonly userUpdated: (account_id: string) => void;
  /** Called when events were lost: any credential may have ended. */
  readonly onEventsLost: () => void;
  readonly log: Logger;
}

const AUTH_SILENCE_MS = 200;
/**
 * Beyond this silence of auth's log no events are delivered: their receivers may have been logged out. An idle log
 * answers every half second.
 */
const MAX_AGE_MS = 1_000;
const CHECK_AGE_EVERY_MS = 20;

/** Follows auth's event log from now on. */
export class AuthLog {
  readonly #options: AuthLogOptions;
  readonly #closing = new AbortController();
  readonly #reader: LogReader<Event>;
  /** Whether the last response ended at a commit, not within a page. */
  #isComplete = false;

  constructor(options: AuthLogOptions) {
    this.#options = options;
    const { auth, onEventsLost, log } = options;
    this.#reader = new LogReader<Event>({
      name: 'auth',
      log,
      read: (cursor, signal) => auth.readEvents({ cursor, silence_ms: AUTH_SILENCE_MS }, { signal }),
      take: (response) => this.#take(response),
      onEventsLost,
    });
  }

  /** Settles once all credentials that ended more than a second ago are known. @throws once the log is closed */
  async revocationsApplied(): Promise<void> {
    while (!this.#isComplete || this.#reader.age_ms() > MAX_AGE_MS)
      await sleep(CHECK_AGE_EVERY_MS, undefined, { signal: this.#closing.signal });
  }

  age_ms(): number {
    return this.#reader.age_ms();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#reader.close();
  }

  #take({ events, cursor }: LogResponse<Event>): void {
    this.#isComplete = readCursor(cursor).page === undefined;
    for (const { type, account_id, credential_id } of events) {
      if (type === 'CREDENTIAL_ENDED' && credential_id != null) this.#options.credentialEnded(credential_id);
      if (type === 'USER_UPDATE') this.#options.userUpdated(account_id);
    }
  }
}
