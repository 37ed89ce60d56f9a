import { setTimeout as pause } from 'node:timers/promises';
import { snowflakes } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';
import type { ChatDatabase } from './chat-database.ts';
import type { Random } from './random.ts';
import { idOf, type World } from './world.ts';

export interface WriterOptions {
  readonly database: ChatDatabase;
  readonly world: World;
  readonly random: Random;
  /** Unique per writer. */
  readonly number: number;
  /** Average pause between transactions. */
  readonly pause_ms: number;
  readonly isOver: () => boolean;
  readonly wrote: (events: number) => void;
}

/** Number of writers. */
export const WRITERS = 52;
const MOST_DELAY_MS = 60;
/** Delay of a transaction that commits after others with higher event IDs. */
const LONG_DELAY_MS = 1_500;
/** Lower worker IDs are chat's. */
const FIRST_WORKER = 900;
const CONTENT = 'the quick brown fox jumps over the lazy dog ';

/** Posts, edits and deletes messages directly in chat's database, with chat's locking, until `isOver`. */
export async function write(options: WriterOptions): Promise<void> {
  const { database, random, number, pause_ms, isOver, wrote } = options;
  const newId = snowflakes({ worker: FIRST_WORKER + number });
  const own: Written[] = [];
  while (!isOver()) {
    await pause(random.below(2 * pause_ms + 1));
    const work: Work = { ...options, newId, own };
    try {
      const written = await database.transaction((tx) => transact(tx, work));
      own.push(...written.filter(({ type }) => type === 'MESSAGE_CREATE').map(({ payload }) => payload));
      wrote(written.length);
    } catch (error) {
      if (error !== ROLLED_BACK) throw error;
    }
  }
}

interface Written {
  readonly id: string;
  readonly channel_id: string;
}

interface Work extends WriterOptions {
  readonly newId: () => string;
  /** Messages posted by this writer. */
  readonly own: Written[];
}

interface WrittenEvent {
  readonly type: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE' | 'MESSAGE_DELETE';
  readonly payload: Written;
}

interface LockedChannel {
  readonly id: string;
  readonly recipient_ids: readonly string[];
}

const ROLLED_BACK = new Error('rolled back');

async function transact(tx: PoolClient, work: Work): Promise<readonly WrittenEvent[]> {
  const { random, world } = work;
  const isPrivate = random.chance(0.12);
  const channels = isPrivate
    ? await lockPrivate(tx, random.pick(world.private_channels).id)
    : await lockGuilds(tx, somewhere(work));
  if (random.chance(0.3)) await pause(random.below(10));
  const events: WrittenEvent[] = [];
  for (let left = random.between(1, 3); left > 0; left--) events.push(...(await act(tx, channels, work)));
  await pause(random.below(isPrivate && random.chance(0.05) ? LONG_DELAY_MS : MOST_DELAY_MS));
  if (random.chance(0.04)) throw ROLLED_BACK;
  return events;
}

/** One random guild, sometimes two. */
function somewhere({ world, random }: Work): string[] {
  const ids = world.guilds.map(({ id }) => id);
  const guilds = [random.pick(ids), ...(random.chance(0.15) ? [random.pick(ids)] : [])];
  return [...new Set(guilds)];
}

/** Locks guilds before channels, ordered by ID, as chat does. */
async function lockGuilds(tx: PoolClient, guild_ids: readonly string[]): Promise<LockedChannel[]> {
  await tx.query('SELECT FROM guilds WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE', [
    guild_ids,
  ]);
  const { rows } = await tx.query<LockedChannel>(
    `SELECT id, recipient_ids FROM channels WHERE guild_id = ANY($1::bigint[]) AND type = 0
     ORDER BY id FOR NO KEY UPDATE`,
    [guild_ids],
  );
  return rows;
}

async function lockPrivate(tx: PoolClient, channel_id: string): Promise<LockedChannel[]> {
  const { rows } = await tx.query<LockedChannel>(
    'SELECT id, recipient_ids FROM channels WHERE id = $1 FOR NO KEY UPDATE',
    [channel_id],
  );
  return rows;
}

async function act(
  tx: PoolClient,
  channels: readonly LockedChannel[],
  work: Work,
): Promise<readonly WrittenEvent[]> {
  const { own, random } = work;
  const here = own.filter(({ channel_id }) => channels.some(({ id }) => id === channel_id)).slice(-20);
  if (here.length > 0 && random.chance(0.12)) return edit(tx, random.pick(here), work);
  if (here.length > 0 && random.chance(0.06)) return remove(tx, random.pick(here));
  return post(tx, random.pick(channels), work);
}

async function post(tx: PoolClient, channel: LockedChannel, work: Work): Promise<readonly WrittenEvent[]> {
  const message = messageIn(channel, work);
  await tx.query({ name: 'stream_post', text: POST, values: [JSON.stringify(message)] });
  await insertEvent(tx, 'MESSAGE_CREATE', message);
  return [{ type: 'MESSAGE_CREATE', payload: message }];
}

/** A row in the form of chat's MessageRow. */
function messageIn({ id: channel_id, recipient_ids }: LockedChannel, { newId, random, world, number }: Work) {
  const accounts = recipient_ids.length > 0 ? recipient_ids : world.people.map(idOf);
  const id = newId();
  return {
    id,
    channel_id,
    author_id: random.pick(accounts),
    webhook_id: null,
    webhook_name: null,
    webhook_avatar: null,
    type: 0,
    flags: 0,
    content: textOf(`${number} `, random),
    embeds: [],
    mention_ids: [],
    mention_role_ids: [],
    mention_everyone: false,
    pinned: false,
    edited_at: null,
  };
}

/** Random text, mostly short. */
function textOf(begin: string, random: Random): string {
  return `${begin}${CONTENT.repeat(random.chance(0.1) ? random.between(1, 40) : 1)}`.trim();
}

const COLUMNS = `id bigint, channel_id bigint, author_id bigint, webhook_id bigint, webhook_name text,
  webhook_avatar text, type smallint, flags integer, content text, embeds jsonb, mention_ids bigint[],
  mention_role_ids bigint[], mention_everyone boolean, pinned boolean, edited_at timestamptz`;
const NAMES = COLUMNS.replaceAll(/ (?:bigint|text|smallint|integer|jsonb|boolean|timestamptz)(?:\[\])?/g, '');
const POST = `INSERT INTO messages (${NAMES}) SELECT * FROM jsonb_to_record($1::jsonb) AS message(${COLUMNS})`;

async function edit(tx: PoolClient, { id, channel_id }: Written, work: Work): Promise<WrittenEvent[]> {
  const { rows } = await tx.query<{ message: Written }>({
    name: 'stream_edit',
    text: `
      WITH edited AS (
        UPDATE messages SET content = $3, edited_at = date_trunc('milliseconds', now())
        WHERE id = $1 AND channel_id = $2
        RETURNING *
      )
      SELECT to_jsonb(edited) || jsonb_build_object('id', id::text, 'channel_id', channel_id::text,
        'author_id', author_id::text,
        'edited_at', to_char(edited_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS message
      FROM edited`,
    values: [id, channel_id, textOf(`edited by ${work.number} `, work.random)],
  });
  for (const { message } of rows) await insertEvent(tx, 'MESSAGE_UPDATE', message);
  return rows.map(({ message }) => ({ type: 'MESSAGE_UPDATE', payload: message }));
}

/** Never deletes the newest message: this event would need the next newest. */
async function remove(tx: PoolClient, { id, channel_id }: Written): Promise<WrittenEvent[]> {
  const { rows } = await tx.query<{ guild_id: string | null }>({
    name: 'stream_delete',
    text: `
      DELETE FROM messages USING channels
      WHERE messages.id = $1 AND messages.channel_id = $2 AND channels.id = $2
        AND messages.id < (SELECT max(id) FROM messages WHERE channel_id = $2)
      RETURNING channels.guild_id`,
    values: [id, channel_id],
  });
  const events = rows.map(({ guild_id }) => ({ id, channel_id, ...(guild_id !== null && { guild_id }) }));
  for (const payload of events) await insertEvent(tx, 'MESSAGE_DELETE', payload);
  return events.map((payload) => ({ type: 'MESSAGE_DELETE', payload }));
}

async function insertEvent(tx: PoolClient, type: WrittenEvent['type'], payload: Written): Promise<void> {
  await tx.query({
    name: 'stream_event',
    text: `
      INSERT INTO events (type, account_ids, channel_id, guild_id, payload)
      SELECT $1, CASE WHEN guild_id IS NULL THEN recipient_ids END, id, guild_id, $2::jsonb
      FROM channels WHERE id = $3`,
    values: [type, JSON.stringify(payload), payload.channel_id],
  });
}
