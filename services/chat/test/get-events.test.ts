import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mark, openReader } from './event-reader.ts';
import { addGuild } from './guilds.ts';
import { type Suite, startSuite } from './harness.ts';
import { internally, webhookMessageOf } from './requests.ts';

let suite: Suite;
beforeAll(async () => {
  suite = await startSuite('chat_get_events', 2);
});
afterAll(() => suite.close());

describe('GetEvents', () => {
  test('gives events as ReadEvents does, those that are there, each once', async () => {
    const { general } = await addGuild(suite);
    const reader = await openReader(suite.chat);
    for (const content of ['one', 'two', 'three'])
      await suite.chat.createWebhookMessage(webhookMessageOf(general, content), internally);
    await mark(suite, 'END');
    const [one, , three, end] = await reader.until('END');
    await reader.close();
    if (one === undefined || three === undefined || end === undefined) throw new Error('no events');
    await suite.sql.query('DELETE FROM events WHERE id = $1', [end.id]);
    const ids = [three.id, one.id, one.id, end.id, '9223372036854775807', '-1', 'x', '', '1.5', '٣'];
    const { events } = await (suite.replicas[1] ?? suite.chat).getEvents({ ids }, internally);
    expect(events.sort((a, b) => Number(a.id) - Number(b.id))).toEqual([one, three]);
  });

  test('takes a thousand IDs and no more', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => String(index + 1_000_000));
    expect(await suite.chat.getEvents({ ids: ids.slice(1) }, internally)).toEqual({ events: [] });
    expect(await suite.chat.getEvents({ ids: [] }, internally)).toEqual({ events: [] });
    expect(await reasonOf(suite.chat.getEvents({ ids }, internally))).toBe('BAD_REQUEST');
  });

  test('answers twenty at once', async () => {
    await mark(suite, 'ONE');
    const { rows } = await suite.sql.query<{ id: string }>('SELECT max(id) AS id FROM events');
    const ids = [rows[0]?.id ?? ''];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (suite.replicas[index % 2] ?? suite.chat).getEvents({ ids }, internally),
      ),
    );
    for (const { events } of answers) expect(events).toMatchObject([{ id: ids[0], type: 'ONE' }]);
  });
});
