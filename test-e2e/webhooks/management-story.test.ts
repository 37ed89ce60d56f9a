import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { createBot } from '../support/bots.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createChannel, newGuild } from '../support/guilds.ts';
import type { AuditLog, Channel, Webhook } from '../support/objects.ts';
import { type Caller, createGuild, type GuildFixture, newcomer } from '../support/people.ts';
import { png, pngOf } from '../support/png.ts';
import { useAnyStack } from '../support/stack.ts';

const MiB = 1024 * 1024;
const stack = useAnyStack();

const create = (api: Api, channel: Pick<Channel, 'id'>, body: unknown = { name: 'Build' }) =>
  api.post(`/channels/${channel.id}/webhooks`, body);
const patch = (api: Api, { id }: Pick<Webhook, 'id'>, body: unknown, headers: Record<string, string> = {}) =>
  api.send('PATCH', `/webhooks/${id}`, { body, headers });
const remove = (api: Api, { id }: Pick<Webhook, 'id'>, headers: Record<string, string> = {}) =>
  api.send('DELETE', `/webhooks/${id}`, { headers });

async function live(fixture: GuildFixture<Caller>, other: Channel): Promise<Webhook> {
  const { api } = fixture.owner;
  const made = await expectOk<Webhook>(create(api, fixture.channel));
  expect(await expectOk(api.get(`/webhooks/${made.id}`))).toEqual(made);
  expect(await expectOk(api.get(`/channels/${fixture.channel.id}/webhooks`))).toEqual([made]);
  const avatar = png(2, 7).toString('base64');
  const moved = await expectOk<Webhook>(
    patch(
      api,
      made,
      { name: ' Alarms ', avatar, channel_id: other.id },
      { 'x-audit-log-reason': 'too%20loud' },
    ),
  );
  expect(moved).toEqual({
    ...made,
    name: 'Alarms',
    avatar: expect.stringMatching(/^[0-9a-f]{32}$/),
    channel_id: other.id,
  });
  expect(await expectOk(api.get(`/guilds/${fixture.guild.id}/webhooks`))).toEqual([moved]);
  expect(await expectOk(patch(api, made, { name: 'Alarms' }))).toEqual(moved);
  await expectNoContent(remove(api, made));
  expectError(await api.get(`/webhooks/${made.id}`), 404, 'NOT_FOUND');
  expect(await expectOk(api.get(`/guilds/${fixture.guild.id}/webhooks`))).toEqual([]);
  return moved;
}

describe('a webhook is created, listed, changed, moved and deleted', () => {
  it('by a session, with audit entries for the changes', async () => {
    const fixture = await newGuild(stack.api);
    const other = await createChannel(fixture, { name: 'other' });
    const { id, guild_id, name, avatar } = await live(fixture, other);
    const log = await expectOk<AuditLog>(fixture.owner.api.get(`/guilds/${guild_id}/audit-logs?limit=3`));
    const by = { user_id: fixture.owner.user.id, target_id: id };
    const channel_id = fixture.channel.id;
    expect(log.audit_log_entries.toReversed()).toEqual([
      expect.objectContaining({
        ...by,
        action_type: 50,
        changes: [
          { key: 'name', new_value: 'Build' },
          { key: 'channel_id', new_value: channel_id },
        ],
      }),
      expect.objectContaining({
        ...by,
        action_type: 51,
        reason: 'too loud',
        changes: [
          { key: 'name', old_value: 'Build', new_value: 'Alarms' },
          { key: 'channel_id', old_value: channel_id, new_value: other.id },
          { key: 'avatar_hash', new_value: avatar },
        ],
      }),
      expect.objectContaining({ ...by, action_type: 52 }),
    ]);
    expect(log.webhooks).toEqual([{ id, guild_id, channel_id: other.id, name, avatar }]);
  });

  it('by a bot', async () => {
    const bot = await createBot(await newcomer(stack.api));
    const fixture = await createGuild(bot);
    const made = await bot.api.post(`/guilds/${fixture.guild.id}/channels`, { name: 'other', type: 0 });
    await live(fixture, made.json<Channel>());
  });
});

describe('a picture', () => {
  it('of 10 MiB is accepted, a byte more is not, and the type is detected from the bytes', async () => {
    const { owner, channel } = await newGuild(stack.api);
    const { api } = owner;
    const webhook = await expectOk<Webhook>(create(api, channel));
    const large = pngOf(10 * MiB);
    expect(large).toHaveLength(10 * MiB);
    const { avatar } = await expectOk<Webhook>(patch(api, webhook, { avatar: large.toString('base64') }));
    const url = `${stack.api.url}/media/avatars/${webhook.id}/${avatar}`;
    expect((await (await fetch(url)).arrayBuffer()).byteLength, 'without the filler').toBeLessThan(1_000);

    const declared = `data:text/html;base64,${png(3, 1).toString('base64')}`;
    expect((await expectOk<Webhook>(patch(api, webhook, { avatar: declared }))).avatar).not.toBe(avatar);
    const wrong = [
      pngOf(10 * MiB + 1).toString('base64'),
      `${png(3, 1).toString('base64')}!`,
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
      png(3, 1).subarray(0, 40).toString('base64'),
      '',
    ];
    for (const each of wrong) {
      const reply = await patch(api, webhook, { avatar: each });
      expectError(reply, 400, 'BAD_REQUEST', { avatar: 'INVALID_FORMAT' });
    }
    expectError(await patch(api, webhook, { avatar: 'A'.repeat(14.5 * MiB) }), 413, 'PAYLOAD_TOO_LARGE');
    const both = await create(api, channel, { name: '', avatar: 'x' });
    expectError(both, 400, 'BAD_REQUEST', {
      name: 'WEBHOOK_NAME_LENGTH_INVALID',
      avatar: 'INVALID_FORMAT',
    });
    expect((await expectOk<Webhook>(patch(api, webhook, { avatar: null }))).avatar).toBeNull();
  });
});
