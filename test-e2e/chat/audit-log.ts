import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import {
  createChannel,
  createRole,
  giveRole,
  join,
  newGuild,
  patchChannel,
  takeRole,
} from '../support/guilds.ts';
import type { AuditLog, Invite, Webhook } from '../support/objects.ts';
import type { GuildFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { bits } from './permission-bits.ts';

export function auditLog(stack: TestStack): void {
  const read = ({ owner, guild }: GuildFixture, query = '') =>
    expectOk<AuditLog>(owner.api.get(`/guilds/${guild.id}/audit-logs${query}`));
  const patchGuild = ({ owner, guild }: GuildFixture, name: string, headers: Record<string, string> = {}) =>
    owner.api.send('PATCH', `/guilds/${guild.id}`, { body: { name }, headers });

  describe('the audit log', () => {
    it('has an entry for each change with the changed fields, newest first', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild, channel } = fixture;
      const member = await join(stack.api, fixture);
      await expectOk(patchGuild(fixture, 'Renamed'));
      const created = await createChannel(fixture, { name: 'one' });
      await patchChannel(fixture, created.id, { name: 'two', topic: null });
      const overwrite = `/channels/${created.id}/permissions/${guild.id}`;
      const put = (deny: string) => owner.api.send('PUT', overwrite, { body: { type: 0, allow: '0', deny } });
      await expectNoContent(put(bits('SEND_MESSAGES')));
      await expectNoContent(put(bits('VIEW_CHANNEL')));
      await expectNoContent(owner.api.send('DELETE', overwrite));
      await expectNoContent(owner.api.send('DELETE', `/channels/${created.id}`));
      const role = await createRole(fixture, { name: 'helper' });
      await expectOk(
        owner.api.send('PATCH', `/guilds/${guild.id}/roles/${role.id}`, {
          body: { name: 'helper', color: 7 },
        }),
      );
      await giveRole(fixture, member, role);
      await takeRole(fixture, member, role);
      await expectNoContent(owner.api.send('DELETE', `/guilds/${guild.id}/roles/${role.id}`));
      await expectOk(owner.api.send('PATCH', `/guilds/${guild.id}/members/@me`, { body: { nick: 'boss' } }));
      const invite = await expectOk<Invite>(owner.api.post(`/channels/${channel.id}/invites`, {}));
      await expectNoContent(owner.api.send('DELETE', `/invites/${invite.code}`));
      await expectNoContent(owner.api.send('DELETE', `/guilds/${guild.id}/members/${member.user.id}`));
      const hooks = `/channels/${channel.id}/webhooks`;
      const {
        token: _,
        user: __,
        ...hook
      } = await expectOk<Webhook>(owner.api.post(hooks, { name: 'Build' }));
      await expectOk(owner.api.send('PATCH', `/webhooks/${hook.id}`, { body: { name: 'Deploys' } }));
      await expectNoContent(owner.api.send('DELETE', `/webhooks/${hook.id}`));

      const { audit_log_entries, users, webhooks } = await read(fixture, '?limit=100');
      const entries = audit_log_entries.toReversed();
      const numbers = [40, 1, 10, 11, 13, 14, 15, 12, 30, 31, 25, 25, 32, 24, 40, 42, 20, 50, 51, 52];
      expect(entries.map(({ action_type }) => action_type)).toEqual(numbers);
      expect(entries.every(({ user_id }) => user_id === owner.user.id)).toBe(true);
      const of = (number: number) => entries.find(({ action_type }) => action_type === number);
      expect(of(1)).toMatchObject({
        target_id: guild.id,
        changes: [{ key: 'name', old_value: 'Workshop', new_value: 'Renamed' }],
      });
      expect(of(11)).toMatchObject({
        target_id: created.id,
        changes: [{ key: 'name', old_value: 'one', new_value: 'two' }],
      });
      expect(of(31)).toMatchObject({
        target_id: role.id,
        changes: [{ key: 'color', old_value: 0, new_value: 7 }],
      });
      expect(of(24)).toMatchObject({
        target_id: owner.user.id,
        changes: [{ key: 'nick', new_value: 'boss' }],
      });
      expect(of(25)?.target_id).toBe(member.user.id);
      expect(of(20)?.target_id).toBe(member.user.id);
      expect(of(51)).toMatchObject({
        target_id: hook.id,
        changes: [{ key: 'name', old_value: 'Build', new_value: 'Deploys' }],
      });
      for (const entry of entries) expect(entry).not.toHaveProperty('reason');
      expect(users.map(({ id }) => id)).toContain(owner.user.id);
      const { id, guild_id, channel_id, avatar } = hook;
      const summary = { id, guild_id, channel_id, name: 'Deploys', avatar };
      expect(webhooks, 'its last state before deletion').toEqual([summary]);
    });

    it('keeps the request’s reason', async () => {
      const fixture = await newGuild(stack.api);
      const reasons = [
        'because',
        'Grüße%20an%20alle'.replace(/[^\x20-\x7e]/g, encodeURIComponent),
        '%F0%9F%98%80'.repeat(512),
      ];
      for (const [n, reason] of reasons.entries())
        await expectOk(patchGuild(fixture, `n${n}`, { 'x-audit-log-reason': reason }));
      const { audit_log_entries } = await read(fixture, '?action_type=1');
      expect(audit_log_entries.map(({ reason }) => reason)).toEqual([
        '😀'.repeat(512),
        'Grüße an alle',
        'because',
      ]);
      const long = await patchGuild(fixture, 'n', { 'x-audit-log-reason': '%F0%9F%98%80'.repeat(513) });
      expect(expectError(long, 400, 'INVALID_FORM_BODY').errors).toMatchObject([
        { code: 'STRING_LENGTH_INVALID' },
      ]);
    });

    it('is filtered by user and action type, and paged', async () => {
      const fixture = await newGuild(stack.api);
      const { guild } = fixture;
      const helper = await join(stack.api, fixture);
      await giveRole(
        fixture,
        helper,
        await createRole(fixture, { permissions: bits('MANAGE_GUILD', 'VIEW_AUDIT_LOG') }),
      );
      for (let n = 0; n < 5; n += 1) {
        await expectOk(helper.api.send('PATCH', `/guilds/${guild.id}`, { body: { name: `n${n}` } }));
      }
      const all = (await read(fixture)).audit_log_entries;
      const ids = async (query: string) => (await read(fixture, query)).audit_log_entries.map(({ id }) => id);
      const idsOf = (entries: typeof all) => entries.map(({ id }) => id);
      expect(await ids(`?user_id=${helper.user.id}`)).toEqual(idsOf(all.slice(0, 5)));
      expect(await ids('?action_type=30')).toEqual(
        idsOf(all.filter(({ action_type }) => action_type === 30)),
      );
      expect(await ids(`?user_id=${helper.user.id}&action_type=30`)).toEqual([]);
      expect(await ids('?limit=2')).toEqual(idsOf(all.slice(0, 2)));
      expect(await ids(`?limit=2&before=${all[1]?.id}`)).toEqual(idsOf(all.slice(2, 4)));
      expect(await ids(`?limit=2&after=${all[4]?.id}`)).toEqual(idsOf(all.slice(2, 4)));
      expect((await helper.api.get(`/guilds/${guild.id}/audit-logs?limit=1`)).status).toBe(200);
      for (const query of ['limit=0', 'limit=101']) {
        const reply = await fixture.owner.api.get(`/guilds/${guild.id}/audit-logs?${query}`);
        expectError(reply, 400, 'INVALID_FORM_BODY', { limit: 'VALUE_MUST_BE_INTEGER_IN_RANGE' });
      }
    });
  });
}
