import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addGuild } from '../support/guilds.ts';
import { as, internally, messageOf, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { cursorOf, mark, openReader, payloadOf } from './event-reader.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_event_log', 2);
});
afterAll(() => fixture.close());

const contents = (events: readonly { payload: string }[]) =>
  events.map(({ payload }) => JSON.parse(payload).content).filter((content) => content !== undefined);

describe('the event log', () => {
  test('has a message as it was posted', async () => {
    const { owner, guild_id, general } = await addGuild(fixture);
    const from = await cursorOf(fixture.chat);
    const { message } = await fixture.chat.createMessage(
      messageOf(general, { content: 'x', nonce: 'n' }),
      as(owner),
    );
    await fixture.sql.query(`UPDATE messages SET content = 'edited since' WHERE id = $1`, [message?.id]);
    const reader = await openReader(fixture.chat, { cursor: from });
    const [event] = await reader.until('MESSAGE_CREATE');
    await reader.close();
    if (event === undefined) throw new Error('no event');
    expect(event).toMatchObject({ type: 'MESSAGE_CREATE', guild_id, channel_id: general, account_ids: [] });
    expect(payloadOf(event)).toMatchObject({
      id: message?.id,
      channel_id: general,
      author_id: owner,
      content: 'x',
      nonce: 'n',
    });
    expect(Math.abs(Date.parse(event.created_at) - Date.now())).toBeLessThan(60_000);
  });

  test.each([0, 1])('wakes a reader for events of replica %i', async (writer) => {
    const { general } = await addGuild(fixture);
    const reader = await openReader(fixture.chat);
    const took_ms = processStopwatch();
    await fixture.replicas[writer]?.createWebhookMessage(webhookMessageOf(general, 'now'), internally);
    await reader.until('MESSAGE_CREATE');
    expect(took_ms()).toBeLessThan(2000);
    await reader.close();
  });

  test('returns a row that commits late, after rows with higher IDs were read', async () => {
    const { general } = await addGuild(fixture);
    const live = await openReader(fixture.chat);
    const late = await fixture.sql.connect();
    try {
      await late.query('BEGIN');
      await late.query(`INSERT INTO events (type, payload) VALUES ('LATE', '{"content":"late"}')`);
      await fixture.chat.createWebhookMessage(webhookMessageOf(general, 'early'), internally);
      await live.until('MESSAGE_CREATE');
      const resumed = await openReader(fixture.chat, { cursor: await live.close() });
      await mark(fixture, 'BETWEEN');
      expect(contents(await resumed.until('BETWEEN'))).toEqual([]);
      await late.query('COMMIT');
      expect(contents(await resumed.until('LATE'))).toEqual(['late']);
      await mark(fixture, 'AFTER');
      expect(contents(await resumed.until('AFTER'))).toEqual(['late']);
      const [early, lateOne] = [live.events[0], resumed.events.find(({ type }) => type === 'LATE')];
      expect(BigInt(lateOne?.id ?? 0)).toBeLessThan(BigInt(early?.id ?? 0));
      await resumed.close();
    } finally {
      late.release();
    }
  });

  test('never returns rolled-back events', async () => {
    const reader = await openReader(fixture.chat);
    const writer = await fixture.sql.connect();
    await writer.query('BEGIN');
    await writer.query(`INSERT INTO events (type, payload) VALUES ('NEVER', '{}')`);
    await writer.query('ROLLBACK');
    writer.release();
    await mark(fixture, 'ROLLED_BACK');
    const events = await reader.until('ROLLED_BACK');
    expect(events.map(({ type }) => type)).toEqual(['ROLLED_BACK']);
    const from = await reader.close();
    await mark(fixture, 'LAST');
    const resumed = await openReader(fixture.chat, { cursor: from });
    expect((await resumed.until('LAST')).map(({ type }) => type)).toEqual(['LAST']);
    await resumed.close();
  });

  test('filters by type', async () => {
    const [some, all] = [
      await openReader(fixture.chat, { types: ['A', 'C'] }),
      await openReader(fixture.chat),
    ];
    for (const type of ['A', 'B', 'B', 'A', 'C']) await mark(fixture, type);
    expect((await some.until('C')).map(({ type }) => type)).toEqual(['A', 'A', 'C']);
    expect((await all.until('C')).map(({ type }) => type)).toEqual(['A', 'B', 'B', 'A', 'C']);
    await Promise.all([some.close(), all.close()]);
  });

  test('sends a response every ten seconds, so that cursors do not expire', async () => {
    const [silent, choosy] = [
      await openReader(fixture.chat),
      await openReader(fixture.chat, { types: ['X'] }),
    ];
    await mark(fixture, 'Y');
    await expect.poll(() => choosy.cursors.length).toBe(2);
    await expect.poll(() => silent.cursors.length).toBe(3); // the event, and the silence
    expect(choosy.events).toEqual([]);
    const xmax = ({ cursor }: { cursor: string }) => Number(cursor.split(':')[1]);
    const [first, second] = choosy.cursors;
    if (first === undefined || second === undefined) throw new Error('no cursors');
    expect(xmax(second)).toBeGreaterThan(xmax(first));
    await Promise.all([silent.close(), choosy.close()]);
  });
});
