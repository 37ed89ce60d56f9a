import type { GuildBot } from '@gatehouse/proto/chat';
import { loadGuilds } from '../../guilds/managed-guild.ts';
import { permissionsIn } from '../../guilds/tabs.ts';
import { ApiError, call } from '../../shared/api/api.ts';
import { MANAGE_GUILD } from '../../shared/permissions.ts';
import type { OwnGuild } from './own-guild.ts';

/** Each costs a request. */
const MOST_WITH_BOTS = 10;
/** The most that one request returns. */
const MOST_BOTS = 100;

/** The guilds of the account, with the bots of the first ones that it manages. */
export async function loadOwnGuilds(account_id: string): Promise<OwnGuild[]> {
  const guilds = await loadGuilds();
  const managed = guilds
    .filter((guild) => (permissionsIn(guild, account_id) & MANAGE_GUILD) !== 0n)
    .slice(0, MOST_WITH_BOTS);
  const bots = new Map(await Promise.all(managed.map(async ({ id }) => [id, await botsOf(id)] as const)));
  return guilds.map((guild) => ({ ...guild, bots: bots.get(guild.id) }));
}

/** Undefined if the account has lost the right to see them meanwhile. */
async function botsOf(guild_id: string): Promise<GuildBot[] | undefined> {
  try {
    return await call<GuildBot[]>('GET', `/guilds/${guild_id}/bots?limit=${MOST_BOTS}`);
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}
