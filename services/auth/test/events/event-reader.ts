import type { Event, ReadEventsRequest } from '@gatehouse/proto/auth';
import type { Auth, AuthUnderTest } from '../auth.ts';

/** What an event says: type, account and, if one ended, the credential. */
export type SeenEvent = readonly [type: string, account_id: string, credential_id?: string];

export const credentialEnded = (account_id: string, credential_id: string): SeenEvent => [
  'CREDENTIAL_ENDED',
  account_id,
  credential_id,
];
export const userUpdate = (account_id: string): SeenEvent => ['USER_UPDATE', account_id];

/** The events that a reader from now on is given until all that `work` writes has come. */
export async function eventsOf(
  { db }: Pick<AuthUnderTest, 'db'>,
  reader: Auth,
  work: () => Promise<unknown>,
): Promise<SeenEvent[]> {
  const responses = reader.readEvents({})[Symbol.asyncIterator]();
  await responses.next(); // nothing that is written from now on is before the reader
  try {
    await work();
    const last = await writeLast(db);
    const events: Event[] = [];
    while (!events.some(({ id }) => id === last)) {
      const { value, done } = await responses.next();
      if (done === true) throw new Error('the log ended');
      events.push(...value.events);
    }
    return events.filter(({ account_id }) => account_id !== NOBODY).map(told);
  } finally {
    await responses.return?.(undefined);
  }
}

/** The events after a cursor, to the last one that is there now. */
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
  return events.filter(({ account_id }) => account_id !== NOBODY).map(told);
}

/** A cursor of now. */
export async function cursorOf(reader: Auth): Promise<string> {
  for await (const { cursor } of reader.readEvents({})) return cursor;
  throw new Error('the log ended');
}

const NOBODY = '0';

/** Writes an event about nobody, and returns its ID. */
async function writeLast(db: AuthUnderTest['db']): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO events (type, account_id) VALUES ('USER_UPDATE', $1) RETURNING id`,
    [NOBODY],
  );
  return rows[0]?.id ?? '';
}

function told({ type, account_id, credential_id }: Event): SeenEvent {
  return credential_id == null ? [type, account_id] : [type, account_id, credential_id];
}
