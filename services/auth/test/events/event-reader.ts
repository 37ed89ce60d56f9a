import type { Event, ReadEventsRequest } from '@gatehouse/proto/auth';
import type { Auth, AuthUnderTest } from '../auth.ts';

/** An event: type, account and, if one ended, the credential. */
export type SeenEvent = readonly [type: string, account_id: string, credential_id?: string];

export const credentialEnded = (account_id: string, credential_id: string): SeenEvent => [
  'CREDENTIAL_ENDED',
  account_id,
  credential_id,
];
export const userUpdate = (account_id: string): SeenEvent => ['USER_UPDATE', account_id];

/** The events that a reader receives during `work`. */
export async function eventsOf(
  { db }: Pick<AuthUnderTest, 'db'>,
  reader: Auth,
  work: () => Promise<unknown>,
): Promise<SeenEvent[]> {
  const responses = reader.readEvents({})[Symbol.asyncIterator]();
  await responses.next(); // everything written from now on comes after the reader's start
  try {
    await work();
    const last = await writeLast(db);
    const events: Event[] = [];
    while (!events.some(({ id }) => id === last)) {
      const { value, done } = await responses.next();
      if (done === true) throw new Error('the log ended');
      events.push(...value.events);
    }
    return events.filter(({ account_id }) => account_id !== NOBODY).map(seenEvent);
  } finally {
    await responses.return?.(undefined);
  }
}

/** The events after a cursor, up to the last one stored now. */
export async function eventsAfter(
  { db }: Pick<AuthUnderTest, 'db'>,
  reader: Auth,
  request: ReadEventsRequest,
): Promise<SeenEvent[]> {
  const last = await writeLast(db);
  const events: Event[] = [];
  for await (const response of reader.readEvents(request)) {
    events.push(...response.events);
    if (events.some(({ id }) => id === last)) break;
  }
  return events.filter(({ account_id }) => account_id !== NOBODY).map(seenEvent);
}

/** The current cursor. */
export async function cursorOf(reader: Auth): Promise<string> {
  for await (const { cursor } of reader.readEvents({})) return cursor;
  throw new Error('the log ended');
}

const NOBODY = '0';

/** Writes an event without an account, and returns its ID. */
async function writeLast(db: AuthUnderTest['db']): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO events (type, account_id) VALUES ('USER_UPDATE', $1) RETURNING id`,
    [NOBODY],
  );
  return rows[0]?.id ?? '';
}

function seenEvent({ type, account_id, credential_id }: Event): SeenEvent {
  return credential_id == null ? [type, account_id] : [type, account_id, credential_id];
}
