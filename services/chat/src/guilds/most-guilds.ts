import type { PoolClient } from 'pg';
import { badRequest } from '../errors.ts';
import { countGuilds } from '../store/members/memberships.ts';

/** Guilds that an account makes or joins (docs/guilds.md#limits). Bots are installed into any number. */
const MAX_GUILDS = 200;

/** To be called once the transaction has let the account into a guild. @throws BAD_REQUEST where that is one too many */
export async function checkGuildCount(tx: PoolClient, accountId: string): Promise<void> {
  if ((await countGuilds(tx, accountId)) > MAX_GUILDS)
    throw badRequest(`An account is in at most ${MAX_GUILDS} guilds.`);
}
