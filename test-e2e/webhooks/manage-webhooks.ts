import { describe, expect, it } from 'vitest';
import { allBut, bits } from '../chat/permission-bits.ts';
import { type Api, type Reply, withGlobalRetry } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, newGuild } from '../support/guilds.ts';
import type { Role, Webhook } from '../support/objects.ts';
import type { GuildFixture, Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { deleteWebhook, patchWebhook, postWebhook } from './calls.ts';

interface Scene extends GuildFixture {
  member: Person;
  role: Role;
  webhook: Webhook;
}

type Overwritten = { by: 'everyone' | 'role' | 'member'; allow?: string; deny?: string }[];

export function manageWebhooks(stack: TestStack): void {
  /** A guild with a webhook, and a member whose role has these permissions. */
  async function scene(permissions: string): Promise<Scene> {
    const fixture = await newGuild(stack.api);
    const member = await join(stack.api, fixture);
    const role = await createRole(fixture, { permissions });
    await giveRole(fixture, member, role);
    const webhook = await expectOk<Webhook>(postWebhook(fixture.owner.api, fixture.channel.id));
    return { ...fixture, member, role, webhook };
  }

  async function overwrite({ owner, guild, channel, member, role }: Scene, rows: Overwritten): Promise<void> {
    const ids = { everyone: guild.id, role: role.id, member: member.user.id };
    for (const { by, allow = '0', deny = '0' } of rows) {
      const body = { type: by === 'member' ? 1 : 0, allow, deny };
      await expectNoContent(
        owner.api.send('PUT', `/channels/${channel.id}/permissions/${ids[by]}`, { body }),
      );
    }
  }

  /** Calls every management route of the channel. */
  async function answers(api: Api, { guild, channel, webhook }: Scene): Promise<[Reply, Reply[]]> {
    const list = await api.get(`/guilds/${guild.id}/webhooks`);
    const rest = [
      await api.get(`/channels/${channel.id}/webhooks`),
      await postWebhook(api, channel.id, { name: 'another' }),
      await api.get(`/webhooks/${webhook.id}`),
      await patchWebhook(api, webhook.id, { name: 'Renamed' }),
      await deleteWebhook(api, webhook.id),
    ];
    return [list, rest];
  }

  async function expectServed(api: Api, at: Scene): Promise<void> {
    const [list, rest] = await answers(api, at);
    expect(list.json()).toEqual([at.webhook]);
    expect(rest.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204]);
  }

  /** @param listed whether the caller gets the guild's list, which is empty then */
  async function expectRefused(api: Api, at: Scene, listed = false): Promise<void> {
    const [list, rest] = await answers(api, at);
    if (listed) expect([list.status, list.text]).toEqual([200, '[]']);
    else expectError(list, 403, 'FORBIDDEN');
    for (const reply of rest) expectError(reply, 403, 'FORBIDDEN');
    expect(await expectOk(at.owner.api.get(`/guilds/${at.guild.id}/webhooks`)), 'nothing changed').toEqual([
      at.webhook,
    ]);
  }

  const MANAGE = bits('MANAGE_WEBHOOKS');
  const VIEW = bits('VIEW_CHANNEL');

  describe('webhook management', () => {
    it('is allowed to a member with MANAGE_WEBHOOKS', async () => {
      const at = await scene(MANAGE);
      await expectServed(at.member.api, at);
    });

    it.each<[string, string, Overwritten, boolean]>([
      ['all but MANAGE_WEBHOOKS', allBut('MANAGE_WEBHOOKS'), [], false],
      ['MANAGE_WEBHOOKS denied to the role there', MANAGE, [{ by: 'role', deny: MANAGE }], true],
      ['VIEW_CHANNEL denied to everyone there', MANAGE, [{ by: 'everyone', deny: VIEW }], true],
    ])('is refused to a member with %s', async (_, permissions, rows, listed) => {
      const at = await scene(permissions);
      await overwrite(at, rows);
      await expectRefused(at.member.api, at, listed);
    });

    it('is 401 without a valid credential, and with the webhook’s own token', async () => {
      const at = await scene('0');
      const dead = [stack.api, stack.api.as(`Bearer gth_${'x'.repeat(36)}`), stack.api.as(at.webhook.token)];
      for (const api of dead.map(withGlobalRetry)) {
        const [list, rest] = await answers(api, at);
        for (const reply of [list, ...rest]) expectError(reply, 401, 'UNAUTHORIZED');
      }
    });
  });
}
