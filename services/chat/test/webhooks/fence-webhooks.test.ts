import { faultOf, reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addGroupDm, addGuild, newId } from '../support/guilds.ts';
import { internally, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_fence_webhooks', 2);
});
afterAll(() => fixture.close());

const raise = (guild_ids: string[], fence: number) =>
  fixture.chat.fenceWebhooks({ guild_ids, fence }, internally);
const post = (channel_id: string, fence: number | undefined, replica = fixture.chat) =>
  replica.createWebhookMessage(webhookMessageOf(channel_id, { content: 'x', fence }), internally);

async function countMessages(channel: string): Promise<number> {
  const { rows } = await fixture.sql.query(
    'SELECT count(*)::integer AS n FROM messages WHERE channel_id = $1',
    [channel],
  );
  return rows[0].n;
}

describe('a fence', () => {
  test('refuses messages with a lower one, and names itself', async () => {
    const { guild_id, general } = await addGuild(fixture);
    await raise([guild_id], 7);
    const { reason, members } = await faultOf(post(general, 6));
    expect([reason, members]).toEqual(['WEBHOOK_CHECK_OUTDATED', { fence: 7 }]);
    await post(general, 7);
    await post(general, 8);
    expect(await countMessages(general)).toBe(2);
  });

  test('does not apply to messages without one, in another guild, or in a guild that has none', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const other = await addGuild(fixture);
    await raise([guild_id], 7);
    await post(general, undefined);
    await post(other.general, 1);
    expect(await reasonOf(post(newId(), 1))).toBe('NOT_FOUND');
  });

  test('never sinks', async () => {
    const { guild_id, general } = await addGuild(fixture);
    await raise([guild_id], 7);
    await raise([guild_id], 3);
    expect(await reasonOf(post(general, 6))).toBe('WEBHOOK_CHECK_OUTDATED');
  });

  test('holds for edits and deletions', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const { message } = await post(general, 1);
    await raise([guild_id], 2);
    const target = { webhook_id: '77', channel_id: general, message_id: message?.id ?? '', fence: 1 };
    const edit = { ...target, content: { value: 'edited' } };
    expect(await reasonOf(fixture.chat.updateWebhookMessage(edit, internally))).toBe(
      'WEBHOOK_CHECK_OUTDATED',
    );
    expect(await reasonOf(fixture.chat.deleteWebhookMessage(target, internally))).toBe(
      'WEBHOOK_CHECK_OUTDATED',
    );
    await fixture.chat.updateWebhookMessage({ ...edit, fence: 2 }, internally);
    await fixture.chat.deleteWebhookMessage({ ...target, fence: 2 }, internally);
  });

  test('stops messages that wait for the guild', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const lock = await fixture.sql.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('UPDATE guilds SET webhook_fence = 5 WHERE id = $1', [guild_id]);
      const waiting = reasonOf(post(general, 4));
      await untilWaitingForLock(fixture.sql, 1);
      await lock.query('COMMIT');
      expect(await waiting).toBe('WEBHOOK_CHECK_OUTDATED');
    } finally {
      lock.release();
    }
  });

  test('once it is answered, stores no message of an earlier check, at either replica', async () => {
    const { guild_id, general } = await addGuild(fixture);
    const callers = Array.from({ length: 64 }, async (_, n) => {
      for (;;) {
        const refusal = await post(general, 1, fixture.replicas[n % 2]).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (refusal !== undefined) return refusal;
      }
    });
    await post(general, 1);
    await raise([guild_id], 2);
    const stored = await countMessages(general);
    for (const refusal of await Promise.all(callers))
      expect(refusal).toMatchObject({ reason: 'WEBHOOK_CHECK_OUTDATED' });
    expect(await countMessages(general)).toBe(stored);
  });
});

test('a private channel takes no messages of webhooks', async () => {
  const channel_id = await addGroupDm(fixture, [newId(), newId()]);
  expect(await reasonOf(post(channel_id, 1))).toBe('NOT_FOUND');
});

test.each([
  ['an ID that is none', ['x']],
  ['over 100 guilds', Array.from({ length: 101 }, () => '1')],
])('%s is refused', async (_, guild_ids) => {
  expect(await refusalOf(raise(guild_ids, 1))).toEqual(['INVALID_FORM_BODY', 'guild_ids INVALID_FORMAT']);
});

test('a guild that does not exist is no error', async () => {
  expect(await raise([newId()], 1)).toEqual({});
});
