import type { PoolClient } from 'pg';
import { badRequest } from '../errors.ts';
import { countGuilds } from '../store/members/memberships.ts';

/** Maximum guilds of an account (docs/guilds.md#limits). Bots have no limit. */
const MAX_GUILDS = 200;

/**
 * Call it once the transaction has added the account to a guild.
 *
 * @throws BAD_REQUEST over the limit
 */
export async function enforceGuildLimit(tx: PoolClient, accountId: string): Promise<void> {
  if ((await countGuilds(tx, accountId)) > MAX_GUILDS)
    throw badRequest(`An account is in at most ${MAX_GUILDS} guilds.`);
}
