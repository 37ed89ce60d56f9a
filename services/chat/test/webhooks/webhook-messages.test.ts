import { reasonOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addGuild, newId } from '../support/guilds.ts';
import { as, internally, messageOf, webhookMessageOf } from '../support/requests.ts';
import { type ChatClient, type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
let other: ChatClient;
beforeAll(async () => {
  fixture = await startChat('chat_webhook_messages', 2);
  const [, second] = fixture.replicas;
  if (second === undefined) throw new Error('there are two replicas');
  other = second;
});
afterAll(() => fixture.close());

const post = (channel: string, message: Parameters<typeof webhookMessageOf>[1], chat = fixture.chat) =>
  chat.createWebhookMessage(webhookMessageOf(channel, message), internally);
const contents = async (channel: string) => {
  const { rows } = await fixture.sql.query('SELECT content FROM messages WHERE channel_id = $1 ORDER BY id', [
    channel,
  ]);
  return rows.map(({ content }) => content);
};

describe('a webhook’s message', () => {
  test('is by the webhook, under its name and avatar at that time', async () => {
    const { owner, general } = await addGuild(fixture);
    const { message } = await post(general, { content: 'x', avatar: 'a_1234' });
    expect(message).toMatchObject({
      webhook_id: '77',
      author: {
        id: '77',
        username: 'Deploys',
        discriminator: '0000',
        global_name: null,
        avatar: 'a_1234',
        bot: true,
      },
      mentions: [],
    });
    const { messages } = await fixture.chat.listMessages({ channel_id: general }, as(owner));
    expect(messages).toEqual([message]);
  });

  test('is returned to the webhook that posted it, in that channel', async () => {
    const { owner, general } = await addGuild(fixture);
    const { message } = await post(general, 'mine');
    const { message: theirs } = await post(general, { webhook_id: '78', content: 'theirs' });
    const { message: persons } = await fixture.chat.createMessage(
      messageOf(general, 'a person’s'),
      as(owner),
    );
    const get = (channel_id: string, message_id = '') =>
      fixture.chat.getWebhookMessage({ webhook_id: '77', channel_id, message_id }, internally);

    expect((await get(general, message?.id)).message).toEqual(message);
    expect(await reasonOf(get(general, theirs?.id))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(get(general, persons?.id))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(get(general, newId()))).toBe('UNKNOWN_MESSAGE');
    const elsewhere = await addGuild(fixture);
    expect(await reasonOf(get(elsewhere.general, message?.id))).toBe('UNKNOWN_MESSAGE');
  });
});

describe('many at once', () => {
  test('are each stored once, with one event, and answered with their own message', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const sent = Array.from({ length: 500 }, (_, index) => `message ${index}`);
    const answers = await Promise.all(
      sent.map((content, index) => post(general, content, index % 2 === 0 ? fixture.chat : other)),
    );
    expect(answers.map(({ message }) => message?.content)).toEqual(sent);
    expect(new Set(answers.map(({ message }) => message?.id)).size).toBe(500);
    expect((await contents(general)).sort()).toEqual([...sent].sort());
    const { rows } = await fixture.sql.query(
      `SELECT payload->>'id' AS id, payload->>'content' AS content, type, guild_id
       FROM events WHERE channel_id = $1`,
      [general],
    );
    const expected = answers.map(({ message }) => ({
      id: message?.id,
      content: message?.content,
      type: 'MESSAGE_CREATE',
      guild_id,
    }));
    const byId = (a: { id?: string | undefined }, b: { id?: string | undefined }) =>
      `${a.id}` < `${b.id}` ? -1 : 1;
    expect(rows.sort(byId)).toEqual(expected.sort(byId));
  });

  test('are not affected by one whose channel is deleted', async () => {
    const { general } = await addGuild(fixture);
    const calls = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0
        ? reasonOf(post(index % 2 === 0 ? newId() : 'x', 'lost'))
        : post(general, 'kept').then(() => 'posted'),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'NOT_FOUND')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(20);
    expect(await contents(general)).toHaveLength(20);
  });

  test('are not affected by one that the database refuses', async () => {
    const { general } = await addGuild(fixture);
    await fixture.sql.query(
      `ALTER TABLE messages ADD CONSTRAINT poison CHECK (content <> 'poison') NOT VALID`,
    );
    try {
      const sent = Array.from({ length: 20 }, (_, index) => (index === 7 ? 'poison' : 'good'));
      const calls = sent.map((content) =>
        content === 'poison' ? reasonOf(post(general, content)) : post(general, content).then(() => 'posted'),
      );
      const outcomes = await Promise.all(calls);
      expect(outcomes[7]).toBe('INTERNAL_SERVER_ERROR');
      expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(19);
      expect(await contents(general)).toEqual(Array.from({ length: 19 }, () => 'good'));
    } finally {
      await fixture.sql.query('ALTER TABLE messages DROP CONSTRAINT poison');
    }
  });
});

describe('a deduplication key', () => {
  const keyed = (channel: string, deduplication_key: string, more = {}, chat = fixture.chat) =>
    post(channel, { content: 'keyed', deduplication_key, ...more }, chat);

  test('creates one message for 64 concurrent calls at two replicas', async () => {
    const { general } = await addGuild(fixture);
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        keyed(general, 'once', {}, index % 2 === 0 ? fixture.chat : other),
      ),
    );
    expect(answers.filter(({ message }) => message)).toHaveLength(1);
    expect(await contents(general)).toEqual(['keyed']);
    const { rowCount } = await fixture.sql.query('SELECT 1 FROM events WHERE channel_id = $1', [general]);
    expect(rowCount).toBe(1);
  });

  test('creates one message per key, whatever order concurrent batches have', async () => {
    const { general } = await addGuild(fixture);
    const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`);
    const calls = [
      ...keys.map((key) => keyed(general, key)),
      ...keys.toReversed().map((key) => keyed(general, key, {}, other)),
    ];
    const answers = await Promise.all(calls);
    expect(answers.filter(({ message }) => message)).toHaveLength(keys.length);
    expect(await contents(general)).toHaveLength(keys.length);
  });

  test('does not affect messages without a key in its batch, and each gets its own outcome', async () => {
    const { general } = await addGuild(fixture);
    await keyed(general, 'before');
    const kinds = ['new', 'taken', 'gone', 'without'] as const;
    const sent = Array.from({ length: 60 }, (_, index) => kinds[index % kinds.length]);
    const outcomes = await Promise.all(
      sent.map((kind, index) => {
        const chat = index % 8 < 4 ? fixture.chat : other;
        const content = `${index}`;
        if (kind === 'without') return post(general, content, chat);
        if (kind === 'gone') return reasonOf(keyed(newId(), `gone ${index}`, { content }, chat));
        return keyed(general, kind === 'new' ? `new ${index}` : 'before', { content }, chat);
      }),
    );
    const actual = outcomes.map((outcome) =>
      typeof outcome === 'object' ? (outcome.message?.content ?? 'taken') : outcome,
    );
    const expected = sent.map((kind, index) => {
      if (kind === 'gone') return 'NOT_FOUND';
      return kind === 'taken' ? 'taken' : `${index}`;
    });
    expect(actual).toEqual(expected);
    const stored = expected.filter((outcome) => /^[0-9]+$/.test(outcome));
    expect((await contents(general)).sort()).toEqual(['keyed', ...stored].sort());
  });

  test('belongs to its webhook; an empty key is none', async () => {
    const { general } = await addGuild(fixture);
    await keyed(general, 'shared', { webhook_id: '81' });
    expect((await keyed(general, 'shared', { webhook_id: '82' })).message).toBeTruthy();
    expect((await keyed(general, 'shared', { webhook_id: '82' })).message).toBeNull();
    expect((await keyed(general, '')).message).toBeTruthy();
    expect((await keyed(general, '')).message).toBeTruthy();
    expect(await contents(general)).toHaveLength(4);
  });

  test('may have any length and content', async () => {
    const { general } = await addGuild(fixture);
    for (const key of ['x'.repeat(100_000), '\0', 'ключ']) {
      expect((await keyed(general, key)).message).toBeTruthy();
      expect((await keyed(general, key)).message).toBeNull();
    }
  });

  test('stays free when the message is refused, its channel is deleted or the transaction fails', async () => {
    const { general } = await addGuild(fixture);
    expect(await reasonOf(keyed(general, 'free', { content: 'x'.repeat(4001) }))).toBe('INVALID_FORM_BODY');
    expect(await reasonOf(keyed(newId(), 'free'))).toBe('NOT_FOUND');
    await fixture.sql.query('ALTER TABLE events ADD CONSTRAINT broken CHECK (false) NOT VALID');
    try {
      expect(await reasonOf(keyed(general, 'free'))).toBe('INTERNAL_SERVER_ERROR');
    } finally {
      await fixture.sql.query('ALTER TABLE events DROP CONSTRAINT broken');
    }
    expect(await contents(general)).toEqual([]);
    expect((await keyed(general, 'free')).message).toBeTruthy();
  });

  test('is not claimed by a call for a deleted channel in the same batch', async () => {
    const { general } = await addGuild(fixture);
    const [gone, here] = await Promise.all([reasonOf(keyed(newId(), 'beside')), keyed(general, 'beside')]);
    expect(gone).toBe('NOT_FOUND');
    expect(here.message).toBeTruthy();
  });

  test('waits for another transaction that holds it, and is free if that fails', async () => {
    const { general } = await addGuild(fixture);
    const claim = `INSERT INTO deduplication_claims (webhook_id, key_sha256, message_id, claimed_at)
      VALUES (77, sha256('held'), 1, now())`;
    const client = await fixture.sql.connect();
    try {
      await client.query('BEGIN');
      await client.query(claim);
      const waiting = keyed(general, 'held');
      await untilWaitingForLock(fixture.sql, 1);
      await client.query('ROLLBACK');
      expect((await waiting).message).toBeTruthy();
    } finally {
      client.release();
    }
  });

  test('is free after a crash between claim and commit, also for waiting calls', async () => {
    const { general } = await addGuild(fixture);
    const holder = await fixture.sql.connect();
    await fixture.sql.query(HALT_AFTER_CLAIM);
    try {
      await holder.query('SELECT pg_advisory_lock(88)');
      const first = reasonOf(keyed(general, 'killed'));
      await untilWaitingForLock(fixture.sql, 1);
      const waiting = keyed(general, 'killed', {}, other);
      // The first has claimed the key and stored its message. The second waits for a lock that the first holds.
      await untilWaitingForLock(fixture.sql, 2);
      const killed = await fixture.sql.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'",
      );
      expect(killed.rowCount).toBe(1);
      expect(await first).toBe('SERVICE_UNAVAILABLE');
      await holder.query('SELECT pg_advisory_unlock(88)');
      expect((await waiting).message).toBeTruthy();
    } finally {
      holder.release();
      await fixture.sql.query('DROP TRIGGER halt ON messages; DROP FUNCTION halt()');
    }
    expect((await keyed(general, 'killed')).message).toBeNull();
    expect(await contents(general)).toEqual(['keyed']);
  });

  test('is free again after 24 hours, for one', async () => {
    const { general } = await addGuild(fixture);
    const age = (interval: string) =>
      fixture.sql.query(
        `UPDATE deduplication_claims SET claimed_at = now() - $1::interval
        WHERE key_sha256 = sha256('daily')`,
        [interval],
      );
    await keyed(general, 'daily');
    await age('23 hours');
    expect((await keyed(general, 'daily')).message).toBeNull();
    await age('24 hours 1 second'); // the column may round up
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        keyed(general, 'daily', {}, index % 2 === 0 ? fixture.chat : other),
      ),
    );
    expect(answers.filter(({ message }) => message)).toHaveLength(1);
    expect(await contents(general)).toHaveLength(2);
  });
});

/** Storing a message waits until the advisory lock 88 is free. Its key is claimed by then. */
const HALT_AFTER_CLAIM = `
  CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM deduplication_claims WHERE message_id = NEW.id) THEN RAISE 'not claimed'; END IF;
    PERFORM pg_advisory_xact_lock_shared(88);
    RETURN NEW;
  END $$;
  CREATE TRIGGER halt AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION halt()`;
