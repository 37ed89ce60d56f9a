import { runStatements } from '@gatehouse/dev-env/postgres/run-statements';
import { databaseUrl } from '@gatehouse/kit/db/pool';

/**
 * Webhooks executed in a turn. Each bucket holds sixty executions and drains one a second, so every turn uses other
 * webhooks.
 */
export const WEBHOOKS = 1_000;
export const TURNS = 20;
/** A webhook that no turn executes. */
export const FURTHER_WEBHOOK = TURNS * WEBHOOKS;

const WEBHOOKS_OF_A_GUILD = 5;
const ID = 4_000_000_000_000;

/** The token route of the nth webhook. */
export function webhookPath(n: number): string {
  return `/webhooks/${ID + n}/${String(n).padStart(64, 'a')}`;
}

/** Fills the databases of a running stack: a webhook in each channel, five channels in a guild. */
export async function populateWebhooks(server_url: string): Promise<void> {
  const webhooks = `generate_series(0, ${FURTHER_WEBHOOK}) n`;
  const guild_id = `${ID} + n / ${WEBHOOKS_OF_A_GUILD}`;
  await runStatements(databaseUrl(server_url, 'chat'), [
    `INSERT INTO guilds (id, name, owner_id) SELECT DISTINCT ${guild_id}, 'Guild', 1 FROM ${webhooks}`,
    `INSERT INTO channels (id, guild_id, type, name) SELECT ${ID} + n, ${guild_id}, 0, 'deployments' FROM ${webhooks}`,
    'VACUUM ANALYZE',
  ]);
  await runStatements(databaseUrl(server_url, 'webhook-delivery'), [
    `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id)
     SELECT ${ID} + n, ${guild_id}, ${ID} + n, 'Deployer', lpad(n::text, 64, 'a'), 1 FROM ${webhooks}`,
    'VACUUM ANALYZE',
  ]);
}
