import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import type { Channel } from '../support/objects.ts';
import { createGuild, newcomer, newWebhook } from '../support/people.ts';
import { useAnyStack } from '../support/stack.ts';
import { untilGone } from '../support/until-gone.ts';

describe('channels of a guild', () => {
  const stack = useAnyStack();

  it('are created, edited, reordered, hidden by an overwrite and deleted', async () => {
    const { owner, guild, channel: general } = await createGuild(await newcomer(stack.api));
    const { api } = owner;
    const made = await api.post(`/guilds/${guild.id}/channels`, {
      name: 'plans',
      topic: 'What is next',
      rate_limit_per_user: 10,
      permission_overwrites: [{ id: guild.id, type: 0, deny: '1024' }],
    });
    expect(made.status, made.text).toBe(200);
    const plans = made.json<Channel>();
    expect(plans).toEqual({
      id: plans.id,
      guild_id: guild.id,
      type: 0,
      name: 'plans',
      topic: 'What is next',
      position: 1,
      parent_id: null,
      rate_limit_per_user: 10,
      permission_overwrites: [{ id: guild.id, type: 0, allow: '0', deny: '1024' }],
      last_message_id: null,
    });

    const path = `/channels/${plans.id}`;
    const slowmode = await api.get(`${path}/slowmode`);
    expect(slowmode.json()).toEqual({ rate_limit_per_user: 10, retry_after: 0 });
    const changed = await api.send('PATCH', path, {
      body: { topic: null },
      headers: { 'x-audit-log-reason': 'done' },
    });
    expect(changed.json<Channel>()).toEqual({ ...plans, topic: null });

    const overwrite = { body: { type: 1, allow: '2048' } };
    expect((await api.send('PUT', `${path}/permissions/${owner.user.id}`, overwrite)).status).toBe(204);
    expect((await api.send('DELETE', `${path}/permissions/${guild.id}`)).status).toBe(204);
    expect((await api.get(path)).json<Channel>()).toMatchObject({
      permission_overwrites: [{ id: owner.user.id, type: 1, allow: '2048', deny: '0' }],
    });

    const positions = [
      { id: plans.id, position: 0 },
      { id: general.id, position: 1 },
    ];
    const ordered = await api.send('PATCH', `/guilds/${guild.id}/channels`, { body: { positions } });
    expect(ordered.status, ordered.text).toBe(204);
    const channels = (await api.get(`/guilds/${guild.id}/channels`)).json<Channel[]>();
    expect(channels.map(({ id }) => id)).toEqual([plans.id, general.id]);

    expect((await api.send('DELETE', path)).status).toBe(204);
    expectError(await api.get(path), 404, 'NOT_FOUND');

    const log = await api.get(`/guilds/${guild.id}/audit-logs`);
    const { audit_log_entries } = log.json<{ audit_log_entries: { action_type: number }[] }>();
    expect(audit_log_entries.map(({ action_type }) => action_type)).toEqual([12, 11, 11, 15, 13, 11, 10]);
    expect(audit_log_entries.at(-2)).toMatchObject({
      user_id: owner.user.id,
      target_id: plans.id,
      reason: 'done',
      changes: [{ key: 'topic', old_value: 'What is next' }],
    });
  });

  it('in slowmode do not limit the owner or webhooks', async () => {
    const hook = await newWebhook(stack.api);
    const { owner, channel } = hook;
    const path = `/channels/${channel.id}`;
    const set = await owner.api.send('PATCH', path, { body: { rate_limit_per_user: 21_601 } });
    expectError(set, 400, 'INVALID_FORM_BODY');
    await owner.api.send('PATCH', path, { body: { rate_limit_per_user: 21_600 } });
    // The owner is exempt, and so are webhooks.
    for (let n = 0; n < 2; n++) {
      expect((await owner.api.post(`${path}/messages`, { content: 'again' })).status).toBe(200);
      await hook.say({ content: 'again' });
    }
    expect((await owner.api.get(`${path}/slowmode`)).json()).toEqual({
      rate_limit_per_user: 21_600,
      retry_after: 0,
    });
  });

  it('are deleted with their webhooks', async () => {
    const hook = await newWebhook(stack.api);
    const { owner, channel } = hook;
    expect((await stack.api.get(hook.path)).status).toBe(200);
    expect((await owner.api.send('DELETE', `/channels/${channel.id}`)).status).toBe(204);
    expectError(await hook.execute({ content: 'too late' }), 404, 'NOT_FOUND');
    await untilGone(stack.api, hook.path);
  });
});
