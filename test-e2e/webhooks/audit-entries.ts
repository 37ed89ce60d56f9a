import { describe, expect, it } from 'vitest';
import { bits } from '../chat/bits.ts';
import { createChannel, createRole, done, giveRole, join, newGuild, ok } from '../chat/guild-fixture.ts';
import type { Api } from '../support/api.ts';
import { unhurried } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { AuditLog, Webhook } from '../support/objects.ts';
import { png } from '../support/png.ts';
import type { TestSuite } from '../support/suite.ts';
import { create, openHook, patch, remove } from './calls.ts';

const face = (grey: number) => png(2, grey).toString('base64');

export function auditEntries(suite: TestSuite): void {
  const read = (api: Api, guild_id: string, query = '') =>
    ok<AuditLog>(api.get(`/guilds/${guild_id}/audit-logs${query}`));

  describe('a webhook’s audit entries', () => {
    it('tell each field that changed, with what it was and what it is', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild, channel } = fixture;
      const made = await ok<Webhook>(create(owner.api, channel.id, { name: 'Build', avatar: face(1) }));
      const other = await ok<Webhook>(patch(owner.api, made.id, { avatar: face(2) }));
      await ok(patch(owner.api, made.id, { avatar: null }));
      await ok(patch(owner.api, made.id, { name: ' Build ' }));
      await ok(patch(owner.api, made.id, { avatar: null, channel_id: channel.id }));
      await done(remove(owner.api, made.id));
      const by = { id: expect.any(String), user_id: owner.user.id, target_id: made.id };
      const { audit_log_entries: entries, webhooks } = await read(owner.api, guild.id);
      expect(entries.toReversed()).toEqual([
        {
          ...by,
          action_type: 50,
          changes: [
            { key: 'name', new_value: 'Build' },
            { key: 'channel_id', new_value: channel.id },
            { key: 'avatar_hash', new_value: made.avatar },
          ],
        },
        {
          ...by,
          action_type: 51,
          changes: [{ key: 'avatar_hash', old_value: made.avatar, new_value: other.avatar }],
        },
        { ...by, action_type: 51, changes: [{ key: 'avatar_hash', old_value: other.avatar }] },
        expect.objectContaining({ ...by, action_type: 52 }),
      ]);
      expect(webhooks).toEqual([
        { id: made.id, guild_id: guild.id, channel_id: channel.id, name: 'Build', avatar: null },
      ]);
    });

    it('hold no token, and are none for the token routes', async () => {
      const { owner, guild, webhook, path, say } = await openHook(suite);
      const api = unhurried(suite.api);
      const before = await read(owner.api, guild.id);
      const { id } = await say({ content: 'x' });
      await ok(api.send('PATCH', path, { body: { name: 'Other', avatar: face(3) } }));
      await ok(api.send('PATCH', `${path}/messages/${id}`, { body: { content: 'y' } }));
      await done(api.send('DELETE', `${path}/messages/${id}`));
      // Whoever asks: a session of the owner grants nothing there.
      await done(owner.api.send('DELETE', path));
      const after = await owner.api.get(`/guilds/${guild.id}/audit-logs`);
      expect(after.json<AuditLog>().audit_log_entries).toEqual(before.audit_log_entries);
      expect(after.text).not.toContain(webhook.token);
    });

    it('keep the decoded reason of each of the three routes, and are found by number', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild, channel } = fixture;
      const why = (reason: string) => ({ 'x-audit-log-reason': reason });
      const made = await owner.api.post(
        `/channels/${channel.id}/webhooks`,
        { name: 'x' },
        why('100%25%20sure'),
      );
      const { id } = made.json<Webhook>();
      await ok(patch(owner.api, id, { name: 'y' }, why('%F0%9F%98%80'.repeat(512))));
      await done(remove(owner.api, id, why('gr%C3%BCn%0D%0AX-Evil:%201')));
      const found = async (number: number) =>
        (await read(owner.api, guild.id, `?action_type=${number}`)).audit_log_entries.map(
          ({ reason }) => reason,
        );
      expect(await found(50)).toEqual(['100% sure']);
      expect(await found(51)).toEqual(['😀'.repeat(512)]);
      expect(await found(52)).toEqual(['grün\r\nX-Evil: 1']);
    });

    it('refuse a reason of 513 characters on each of the three routes, which then change nothing', async () => {
      const { owner, webhook, channel, guild } = await openHook(suite);
      const long = { 'x-audit-log-reason': 'x'.repeat(513) };
      const replies = [
        await owner.api.post(`/channels/${channel.id}/webhooks`, { name: 'x' }, long),
        await patch(owner.api, webhook.id, { name: 'y' }, long),
        await remove(owner.api, webhook.id, long),
      ];
      for (const reply of replies)
        expect(expectError(reply, 400, 'INVALID_FORM_BODY').errors).toMatchObject([
          { code: 'STRING_LENGTH_INVALID' },
        ]);
      expect(await ok(owner.api.get(`/guilds/${guild.id}/webhooks`))).toEqual([webhook]);
    });

    it('are of who did it', async () => {
      const fixture = await openHook(suite);
      const helper = await join(suite.api, fixture);
      const permissions = bits('MANAGE_WEBHOOKS', 'VIEW_AUDIT_LOG');
      await giveRole(fixture, helper, await createRole(fixture, { permissions }));
      const room = await createChannel(fixture, { name: 'room' });
      await ok(patch(helper.api, fixture.webhook.id, { channel_id: room.id }));
      const log = await read(helper.api, fixture.guild.id, `?user_id=${helper.user.id}`);
      expect(log.audit_log_entries).toMatchObject([
        {
          action_type: 51,
          target_id: fixture.webhook.id,
          changes: [{ key: 'channel_id', old_value: fixture.channel.id, new_value: room.id }],
        },
      ]);
      expect(log.users.map(({ id }) => id)).toEqual([helper.user.id]);
      expect(log.webhooks).toMatchObject([{ id: fixture.webhook.id, channel_id: room.id }]);
    });
  });
}
