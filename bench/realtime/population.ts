import { DEFAULT_EVERYONE_PERMISSIONS } from '@gatehouse/chat-client/permissions';
import { runStatements } from '@gatehouse/dev-env/postgres/run-statements';
import { databaseUrl } from '@gatehouse/kit/db/pool';

/** Accounts in one guild with one channel. */
export const CROWD = 5_000;
/** Members of each of the following guilds. */
export const SMALL_GUILDS = 100;
export const IN_SMALL_GUILDS = 1_000;
/** Accounts that are in fifty of the remaining guilds. */
export const IN_MANY_GUILDS = 1_500;
export const GUILDS_OF_EACH = 50;
const SHARED_GUILDS = 200;

const ACCOUNTS = CROWD + IN_SMALL_GUILDS + IN_MANY_GUILDS;
const GUILDS = 1 + SMALL_GUILDS + SHARED_GUILDS;
const CHANNELS_OF_A_GUILD = 10;
const ROLES_OF_A_GUILD = 10;

/** The first ID of each kind; the nth is `n` higher. */
const ACCOUNT = 5_000_000_000_000;
const GUILD = ACCOUNT + 100_000;
const CHANNEL = ACCOUNT + 200_000;
const ROLE = ACCOUNT + 300_000;

/** Session tokens of all accounts, in the order above. */
export function tokensOf(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `gth_${String(from + n).padStart(36, 'a')}`);
}

/** The first channel of the nth guild. */
export function channelOf(guild: number): string {
  return String(CHANNEL + guild * CHANNELS_OF_A_GUILD);
}

/** The guild of the nth account in small guilds. */
export function smallGuildOf(n: number): number {
  return 1 + (n % SMALL_GUILDS);
}

/** Fills the databases of a running stack. A member has two of a guild's ten roles; a channel has three overwrites. */
export async function populateRealtime(server_url: string): Promise<void> {
  await runStatements(databaseUrl(server_url, 'auth'), [
    `INSERT INTO accounts (id, username, username_key)
     SELECT ${ACCOUNT} + n, 'bench' || n, 'bench' || n FROM generate_series(0, ${ACCOUNTS - 1}) n`,
    `INSERT INTO sessions (id, account_id, token_hash)
     SELECT ${ACCOUNT} + n, ${ACCOUNT} + n, sha256(('gth_' || lpad(n::text, 36, 'a'))::bytea)
       FROM generate_series(0, ${ACCOUNTS - 1}) n`,
    'VACUUM ANALYZE accounts, sessions',
  ]);
  await runStatements(databaseUrl(server_url, 'chat'), [
    ...GUILDS_AND_MEMBERS,
    ...CHANNELS,
    'VACUUM ANALYZE',
    'CHECKPOINT',
  ]);
}

const GUILDS_AND_MEMBERS = [
  `INSERT INTO guilds (id, name, owner_id)
   SELECT ${GUILD} + g, 'Guild ' || g, 1 FROM generate_series(0, ${GUILDS - 1}) g`,
  `INSERT INTO roles (id, guild_id, name, permissions)
   SELECT id, id, '@everyone', ${DEFAULT_EVERYONE_PERMISSIONS} FROM guilds`,
  `INSERT INTO roles (id, guild_id, name, position, permissions)
   SELECT ${ROLE} + g * ${ROLES_OF_A_GUILD} + n, ${GUILD} + g, 'Role ' || n, n + 1,
       ${DEFAULT_EVERYONE_PERMISSIONS} | (8192::bigint << n)
     FROM generate_series(0, ${GUILDS - 1}) g, generate_series(0, ${ROLES_OF_A_GUILD - 1}) n`,
  `INSERT INTO members (guild_id, account_id)
   SELECT ${GUILD}, ${ACCOUNT} + n FROM generate_series(0, ${CROWD - 1}) n
   UNION SELECT ${GUILD} + 1 + n % ${SMALL_GUILDS}, ${ACCOUNT + CROWD} + n
     FROM generate_series(0, ${IN_SMALL_GUILDS - 1}) n
   UNION SELECT ${GUILD + 1 + SMALL_GUILDS} + (n + g * ${SHARED_GUILDS / GUILDS_OF_EACH}) % ${SHARED_GUILDS},
       ${ACCOUNT + CROWD + IN_SMALL_GUILDS} + n
     FROM generate_series(0, ${IN_MANY_GUILDS - 1}) n, generate_series(0, ${GUILDS_OF_EACH - 1}) g`,
  `INSERT INTO member_roles (guild_id, account_id, role_id)
   SELECT guild_id, account_id, ${ROLE} + (guild_id - ${GUILD}) * ${ROLES_OF_A_GUILD} + n
     FROM members, unnest(ARRAY[account_id % 5, 5 + account_id % 5]) n`,
  `UPDATE guilds SET member_count = (SELECT count(*) FROM members WHERE guild_id = guilds.id)`,
];

const CHANNELS = [
  `INSERT INTO channels (id, guild_id, type, name)
   SELECT ${CHANNEL} + g * ${CHANNELS_OF_A_GUILD} + n, ${GUILD} + g, 0, 'general'
     FROM generate_series(0, ${GUILDS - 1}) g, generate_series(0, ${CHANNELS_OF_A_GUILD - 1}) n
     WHERE g > 0 OR n = 0`,
  // Overwrites of @everyone and two roles: MANAGE_MESSAGES allowed, MENTION_EVERYONE denied.
  `INSERT INTO permission_overwrites (channel_id, id, type, allow, deny)
   SELECT channels.id, role, 0, 1 << 13, 1 << 17
     FROM channels, LATERAL (SELECT ${ROLE} + (guild_id - ${GUILD}) * ${ROLES_OF_A_GUILD} AS first) of_guild,
       unnest(ARRAY[guild_id, first, first + 7]) role`,
];
