import { setTimeout as sleep } from 'node:timers/promises';
import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition, Event } from '@gatehouse/proto/auth';
import { keepReading } from './keep-reading.ts';

/** auth's log as this replica follows it. */
export interface AuthLog {
  /** Settles once all credentials are known that ended until a second ago. @throws once it is closed */
  revocationsApplied(): Promise<void>;
  age_ms(): number;
  close(): Promise<void>;
}

export interface AuthLogOptions {
  readonly auth: Client<typeof AuthServiceDefinition>;
  readonly credentialEnded: (credential_id: string) => void;
  readonly userUpdated: (account_id: string) => void;
  /** Any credential may have ended unheard. */
  readonly onEventsLost: () => void;
  readonly log: Logger;
}

const SILENCE_MS = 200;
/** Events are not told while it has been silent for longer: whoever they are for may have been logged out. */
const YOUNG_MS = 1_000;
const LOOK_EVERY_MS = 20;

/** Follows auth's log from now on. */
export function followAuth({
  auth,
  credentialEnded,
  userUpdated,
  onEventsLost,
  log,
}: AuthLogOptions): AuthLog {
  const closing = new AbortController();
  let isWhole = false;
  const reader = keepReading<Event>({
    name: 'auth',
    log,
    read: (cursor, signal) => auth.readEvents({ cursor, silence_ms: SILENCE_MS }, { signal }),
    take: ({ events, cursor }) => {
      isWhole = readCursor(cursor).page === undefined;
      for (const { type, account_id, credential_id } of events) {
        if (type === 'CREDENTIAL_ENDED' && credential_id != null) credentialEnded(credential_id);
        if (type === 'USER_UPDATE') userUpdated(account_id);
      }
    },
    onEventsLost,
  });

  return {
    revocationsApplied: async () => {
      while (!isWhole || reader.age_ms() > YOUNG_MS)
        await sleep(LOOK_EVERY_MS, undefined, { signal: closing.signal });
    },
    age_ms: () => reader.age_ms(),
    close: async () => {
      closing.abort();
      await reader.close();
    },
  };
}
