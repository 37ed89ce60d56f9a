import { expect, it } from 'vitest';
import { guildsWithBot, type OwnGuild } from '../src/account/guilds/own-guild.ts';

const user = { username: 'clock', discriminator: '0', global_name: null, avatar: null, bot: true };
const bot = {
  user: { ...user, id: '7' },
  installed_at: '2026-01-01T00:00:00.000Z',
  roles: [],
  permissions: '0',
};

function guild(id: string, bots: OwnGuild['bots']): OwnGuild {
  return { id, name: id, icon: null, owner_id: '1', member_count: 2, roles: [], permissions: '0', bots };
}

it('finds the guilds that have the bot of an application, and none of those whose bots are unknown', () => {
  const guilds = [guild('10', [bot]), guild('11', []), guild('12', undefined)];
  expect(guildsWithBot(guilds, '7').map(({ id }) => id)).toEqual(['10']);
  expect(guildsWithBot(guilds, '8')).toEqual([]);
});
