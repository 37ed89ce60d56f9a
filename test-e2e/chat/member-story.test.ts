import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import type { User } from '../support/objects.ts';
import { createGuild, newcomer, type Person } from '../support/people.ts';
import { png } from '../support/png.ts';
import { useAnyStack } from '../support/stack.ts';

/** Unique to this test: a picture that a webhook uses too is public. */
const PNG = png(3, 151).toString('base64');

interface Invite {
  readonly code: string;
  readonly uses: number;
  readonly inviter: User;
  readonly guild: { readonly id: string; readonly member_count: number };
  readonly channel: { readonly name: string };
}

interface Member {
  readonly user: User;
  readonly nick: string | null;
  readonly avatar: string | null;
  readonly roles: readonly string[];
}

const stack = useAnyStack();

describe('a guild of two', () => {
  it('starts with an invite and ends with a kick', async () => {
    const owner = await newcomer(stack.api);
    const friend = await newcomer(stack.api);
    const { guild, channel } = await createGuild(owner);
    const { code } = (
      await owner.api.post(`/channels/${channel.id}/invites`, { max_uses: 1 })
    ).json<Invite>();

    const seen = (await stack.api.get(`/invites/${code}`)).json<Invite>();
    expect(seen).toMatchObject({
      guild: { id: guild.id, member_count: 1 },
      channel: { name: channel.name },
      inviter: { id: owner.user.id },
    });
    const joined = (await friend.api.send('POST', `/invites/${code}`)).json<Invite>();
    expect(joined).toMatchObject({ uses: 1, guild: { member_count: 2 } });
    expectError(await stack.api.get(`/invites/${code}`), 404, 'UNKNOWN_INVITE');

    const avatar = await wearAvatar(friend, guild.id);
    const picture = `${stack.url}/media/guilds/${guild.id}/users/${friend.user.id}/avatars/${avatar}`;
    const served = await fetch(picture);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await fetch(`${stack.url}/media/avatars/${friend.user.id}/${avatar}`)).status).toBe(404);

    const role = (await owner.api.post(`/guilds/${guild.id}/roles`, { name: 'Friends' })).json<{
      id: string;
    }>();
    const path = `/guilds/${guild.id}/members/${friend.user.id}`;
    expect((await owner.api.send('PUT', `${path}/roles/${role.id}`)).status).toBe(204);
    const members = (await owner.api.get(`/guilds/${guild.id}/members`)).json<Member[]>();
    expect(members.map(({ user, nick, roles }) => [user.id, nick, roles])).toEqual([
      [owner.user.id, null, []],
      [friend.user.id, 'Friend', [role.id]],
    ]);

    expectError(
      await friend.api.send('DELETE', `/guilds/${guild.id}/members/${owner.user.id}`),
      403,
      'MISSING_PERMISSIONS',
    );
    const reason = { 'x-audit-log-reason': 'no%20more' };
    expect((await owner.api.send('DELETE', path, { headers: reason })).status).toBe(204);
    expectError(await owner.api.get(path), 404, 'UNKNOWN_MEMBER');
    expectError(await friend.api.get(`/guilds/${guild.id}`), 403, 'MISSING_ACCESS');
    await until('the picture is gone', 30_000, async () =>
      (await fetch(picture)).status === 404 ? true : undefined,
    );
  });
});

describe('connections', () => {
  it('are none', async () => {
    const { api } = await newcomer(stack.api);
    expect((await api.get('/users/@me/connections')).json<unknown[]>()).toEqual([]);
  });
});

/** Sets nick and avatar in one guild. Returns the avatar's hash. */
async function wearAvatar({ api, user }: Person, guild_id: string): Promise<string> {
  const reply = await api.send('PATCH', `/guilds/${guild_id}/members/@me`, {
    body: { nick: 'Friend', avatar: PNG },
  });
  const member = reply.json<Member>();
  expect(member, reply.text).toMatchObject({ nick: 'Friend', user: { id: user.id, avatar: null } });
  return member.avatar ?? '';
}
