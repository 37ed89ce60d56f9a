import { describe, expect, it } from 'vitest';
import { allBut, bits } from '../chat/bits.ts';
import {
  createChannel,
  createRole,
  done,
  type GuildFixture,
  giveRole,
  join,
  newBot,
  newGuild,
  ok,
  setEveryone,
} from '../chat/guild-fixture.ts';
import { type Api, type Reply, unhurried } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { Role, Webhook } from '../support/objects.ts';
import { newcomer, type Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { create, patch, remove } from './calls.ts';

interface Scene extends GuildFixture {
  member: Person;
  role: Role;
  webhook: Webhook;
}

type Overwritten = { by: 'everyone' | 'role' | 'member'; allow?: string; deny?: string }[];

export function ruleM(suite: TestSuite): void {
  /** A guild with a webhook, and a member with a role of these permissions. */
  async function scene(permissions: string): Promise<Scene> {
    const fixture = await newGuild(suite.api);
    const member = await join(suite.api, fixture);
    const role = await createRole(fixture, { permissions });
    await giveRole(fixture, member, role);
    const webhook = await ok<Webhook>(create(fixture.owner.api, fixture.channel.id));
    return { ...fixture, member, role, webhook };
  }

  async function overwrite({ owner, guild, channel, member, role }: Scene, rows: Overwritten): Promise<void> {
    const ids = { everyone: guild.id, role: role.id, member: member.user.id };
    for (const { by, allow = '0', deny = '0' } of rows) {
      const body = { type: by === 'member' ? 1 : 0, allow, deny };
      await done(owner.api.send('PUT', `/channels/${channel.id}/permissions/${ids[by]}`, { body }));
    }
  }

  /** What each management route of the channel answers to a caller. */
  async function answers(api: Api, { guild, channel, webhook }: Scene): Promise<[Reply, Reply[]]> {
    const list = await api.get(`/guilds/${guild.id}/webhooks`);
    const rest = [
      await api.get(`/channels/${channel.id}/webhooks`),
      await create(api, channel.id, { name: 'another' }),
      await api.get(`/webhooks/${webhook.id}`),
      await patch(api, webhook.id, { name: 'Renamed' }),
      await remove(api, webhook.id),
    ];
    return [list, rest];
  }

  async function expectServed(api: Api, at: Scene): Promise<void> {
    const [list, rest] = await answers(api, at);
    expect(list.json()).toEqual([at.webhook]);
    expect(rest.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204]);
  }

  /** `listed`: the caller may ask for the guild's list, and finds nothing in it. */
  async function expectRefused(api: Api, at: Scene, listed = false): Promise<void> {
    const [list, rest] = await answers(api, at);
    if (listed) expect([list.status, list.text]).toEqual([200, '[]']);
    else expectError(list, 403, 'FORBIDDEN');
    for (const reply of rest) expectError(reply, 403, 'FORBIDDEN');
    expect(await ok(at.owner.api.get(`/guilds/${at.guild.id}/webhooks`)), 'nothing changed').toEqual([
      at.webhook,
    ]);
  }

  const MANAGE = bits('MANAGE_WEBHOOKS');
  const VIEW = bits('VIEW_CHANNEL');

  describe('rule M', () => {
    it.each<[string, string, Overwritten]>([
      ['MANAGE_WEBHOOKS', MANAGE, []],
      ['ADMINISTRATOR, whatever is denied', bits('ADMINISTRATOR'), [{ by: 'role', deny: MANAGE }]],
      [
        'a member’s own overwrite over a role’s denial',
        MANAGE,
        [
          { by: 'role', deny: MANAGE },
          { by: 'member', allow: MANAGE },
        ],
      ],
      [
        'a role’s allowance over everyone’s denial',
        MANAGE,
        [
          { by: 'everyone', deny: VIEW },
          { by: 'role', allow: VIEW },
        ],
      ],
    ])('serves a member with %s', async (_, permissions, rows) => {
      const at = await scene(permissions);
      await overwrite(at, rows);
      await expectServed(at.member.api, at);
    });

    it.each<[string, string, Overwritten, boolean]>([
      ['nothing', '0', [], false],
      ['all but MANAGE_WEBHOOKS', allBut('MANAGE_WEBHOOKS'), [], false],
      ['MANAGE_WEBHOOKS in the channel alone', '0', [{ by: 'member', allow: MANAGE }], false],
      ['MANAGE_WEBHOOKS denied to the role there', MANAGE, [{ by: 'role', deny: MANAGE }], true],
      ['MANAGE_WEBHOOKS denied to everyone there', MANAGE, [{ by: 'everyone', deny: MANAGE }], true],
      ['VIEW_CHANNEL denied to the member there', MANAGE, [{ by: 'member', deny: VIEW }], true],
      ['VIEW_CHANNEL denied to everyone there', MANAGE, [{ by: 'everyone', deny: VIEW }], true],
      ['ADMINISTRATOR by an overwrite alone', '0', [{ by: 'member', allow: bits('ADMINISTRATOR') }], false],
    ])('refuses a member with %s', async (_, permissions, rows, listed) => {
      const at = await scene(permissions);
      await overwrite(at, rows);
      await expectRefused(at.member.api, at, listed);
    });

    it('refuses a member whose guild hides all channels, but for the guild’s empty list', async () => {
      const at = await scene(MANAGE);
      await setEveryone(at, '0');
      await expectRefused(at.member.api, at, true);
    });

    it('refuses strangers and bots that are no members, and serves the owner', async () => {
      const at = await scene('0');
      const stranger = await newcomer(unhurried(suite.api));
      await expectRefused(stranger.api, at);
      await expectRefused((await newBot(at.owner)).api, at);
      await expectServed(at.owner.api, at);
    });

    it('is lost with the membership', async () => {
      const at = await scene(MANAGE);
      expect((await at.member.api.get(`/webhooks/${at.webhook.id}`)).status).toBe(200);
      await done(at.owner.api.send('DELETE', `/guilds/${at.guild.id}/members/${at.member.user.id}`));
      await expectRefused(at.member.api, at);
    });

    it('asks for a credential: none, a dead one and the webhook’s own token are 401', async () => {
      const at = await scene('0');
      const dead = [suite.api, suite.api.as(`Bearer gth_${'x'.repeat(36)}`), suite.api.as(at.webhook.token)];
      for (const api of dead.map(unhurried)) {
        const [list, rest] = await answers(api, at);
        for (const reply of [list, ...rest]) expectError(reply, 401, 'UNAUTHORIZED');
      }
    });

    it('judges a move at both ends', async () => {
      const at = await scene(MANAGE);
      const { member, owner, webhook, role } = at;
      const deny = (id: string, permission: string) =>
        done(
          owner.api.send('PUT', `/channels/${id}/permissions/${role.id}`, {
            body: { type: 0, allow: '0', deny: permission },
          }),
        );
      const [open, hidden, locked] = [
        await createChannel(at, { name: 'open' }),
        await createChannel(at, { name: 'hidden' }),
        await createChannel(at, { name: 'locked' }),
      ];
      await deny(hidden.id, VIEW);
      await deny(locked.id, MANAGE);
      const move = (channel_id: string) => patch(member.api, webhook.id, { channel_id });
      for (const { id } of [hidden, locked]) expectError(await move(id), 403, 'FORBIDDEN');
      expect((await ok<Webhook>(move(open.id))).channel_id).toBe(open.id);
      await ok(patch(owner.api, webhook.id, { channel_id: locked.id }));
      for (const { id } of [open, locked, hidden]) expectError(await move(id), 403, 'FORBIDDEN');
    });
  });
}
