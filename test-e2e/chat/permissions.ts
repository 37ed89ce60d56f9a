import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, newGuild, patchChannel, post, takeRole } from '../support/guilds.ts';
import type { TestStack } from '../support/stack.ts';
import { bits } from './permission-bits.ts';

const VIEW = bits('VIEW_CHANNEL');

export function permissions(stack: TestStack): void {
  describe('the permissions of a member', () => {
    it('apply at once: a hidden channel is visible with the role and hidden without it', async () => {
      const fixture = await newGuild(stack.api);
      const { guild, channel, owner } = fixture;
      const member = await join(stack.api, fixture);
      const insider = await createRole(fixture, { permissions: '0' });
      const { id } = await expectOk<{ id: string }>(post(fixture, owner, 'for the insiders'));
      await patchChannel(fixture, channel.id, {
        permission_overwrites: [
          { id: guild.id, type: 0, allow: '0', deny: VIEW },
          { id: insider.id, type: 0, allow: VIEW, deny: '0' },
        ],
      });
      const looks = ['', '/messages', `/messages/${id}`, '/slowmode'].map(
        (end) => `/channels/${channel.id}${end}`,
      );
      const expectHidden = async () => {
        for (const path of looks) expectError(await member.api.get(path), 403, 'MISSING_ACCESS');
        expectError(await post(fixture, member, 'x'), 403, 'MISSING_ACCESS');
        expect(await expectOk(member.api.get(`/guilds/${guild.id}/channels`))).toEqual([]);
      };
      await expectHidden();
      await giveRole(fixture, member, insider);
      for (const path of looks) await expectOk(member.api.get(path));
      await expectOk(post(fixture, member, 'here I am'));
      await takeRole(fixture, member, insider);
      await expectHidden();
    });
  });

  describe('a permission string', () => {
    const WRONG = [
      '-1',
      '',
      ' ',
      '0x8',
      '1e3',
      '01',
      '+1',
      '8 ',
      '1.0',
      String(1n << 63n),
      String(1n << 64n),
    ];

    it('is a decimal number of at most 63 bits', async () => {
      const { owner, guild, channel } = await newGuild(stack.api);
      for (const permissions of WRONG) {
        const path = `/guilds/${guild.id}/roles/${guild.id}`;
        const reply = await owner.api.send('PATCH', path, { body: { permissions } });
        expectError(reply, 400, 'INVALID_FORM_BODY', { permissions: 'INVALID_FORMAT' });
      }
      for (const bad of ['-1', String(1n << 64n)]) {
        const path = `/channels/${channel.id}/permissions/${guild.id}`;
        const reply = await owner.api.send('PUT', path, { body: { type: 0, allow: bad, deny: bad } });
        expectError(reply, 400, 'INVALID_FORM_BODY', { allow: 'INVALID_FORMAT', deny: 'INVALID_FORMAT' });
      }
    });
  });
}
