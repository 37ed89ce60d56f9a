import { DEFAULT_EVERYONE_PERMISSIONS } from '@gatehouse/chat-client/permissions';
import { runStatements } from '@gatehouse/dev-env/postgres/run-statements';
import { databaseUrl } from '@gatehouse/kit/db/pool';

export const ACCOUNTS = 20_000;
/** The first accounts are in MANY_GUILDS further guilds each, which have only the role @everyone. */
export const JOINERS = 1_000;
export const MANY_GUILDS = 100;
/** The same number of accounts are in the first MANY_GUILDS of these guilds, which have ten roles. */
export const GUILDS = 200;
export const LONG_MESSAGES = 1_000_000;

const SHORT_MESSAGES = 100;
const CHANNELS_OF_A_GUILD = 5;
const ROLES_OF_A_GUILD = 10;
/** The approximate number of authors on a page of messages. */
const AUTHORS = 20;

/** The first ID of each kind; the nth is `n` higher. All accounts are in the first guild. */
const ACCOUNT = 3_000_000_000_000;
const GUILD = ACCOUNT + 100_000;
const CHANNEL = ACCOUNT + 200_000;
const ROLE = ACCOUNT + 300_000;
const MESSAGE = ACCOUNT + 1_000_000;

/** The guild in which the nth account posts. */
export const homeOf = (n: number): number => 1 + (n % GUILDS);
export const nthToken = (n: number): string => `gth_${String(n).padStart(36, 'a')}`;
export const channelId = (guild: number, nth: number): number =>
  CHANNEL + guild * CHANNELS_OF_A_GUILD + (nth % CHANNELS_OF_A_GUILD);
export const messageId = (n: number): number => MESSAGE + n;

/** The channel with a million messages, in the first guild. */
export const LONG_CHANNEL = channelId(0, 0);
export const SHORT_CHANNEL = channelId(0, 1);
export const CROWDED_CHANNEL = channelId(0, 2);

/**
 * Fills the databases of a running stack: 20,000 accounts with a session each, all in one guild that has a channel with
 * a million messages, and each in one of 200 others. A member has two of a guild's ten roles, and a channel has three
 * overwrites. 2,000 accounts are in a hundred guilds. The long channel may have fewer messages, to fill it faster.
 */
export async function populateChat(server_url: string, long_messages = LONG_MESSAGES): Promise<void> {
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
    messages(LONG_CHANNEL, long_messages),
    messages(SHORT_CHANNEL, SHORT_MESSAGES),
    'VACUUM ANALYZE',
    'CHECKPOINT',
  ]);
}

const GUILDS_AND_MEMBERS = [
  `INSERT INTO guilds (id, name, owner_id)
   SELECT ${GUILD} + g, 'Guild ' || g, 1 FROM generate_series(0, ${GUILDS + MANY_GUILDS}) g`,
  `INSERT INTO roles (id, guild_id, name, permissions)
   SELECT id, id, '@everyone', ${DEFAULT_EVERYONE_PERMISSIONS} FROM guilds`,
  `INSERT INTO roles (id, guild_id, name, position, permissions)
   SELECT ${ROLE} + g * ${ROLES_OF_A_GUILD} + n, ${GUILD} + g, 'Role ' || n, n + 1,
       ${DEFAULT_EVERYONE_PERMISSIONS} | (8192::bigint << n)
     FROM generate_series(0, ${GUILDS}) g, generate_series(0, ${ROLES_OF_A_GUILD - 1}) n`,
  `INSERT INTO members (guild_id, account_id)
   SELECT ${GUILD}, ${ACCOUNT} + n FROM generate_series(0, ${ACCOUNTS - 1}) n
   UNION SELECT ${GUILD} + 1 + n % ${GUILDS}, ${ACCOUNT} + n FROM generate_series(0, ${ACCOUNTS - 1}) n
   UNION SELECT ${GUILD + GUILDS} + g, ${ACCOUNT} + n
     FROM generate_series(0, ${JOINERS - 1}) n, generate_series(1, ${MANY_GUILDS}) g
   UNION SELECT ${GUILD} + g, ${ACCOUNT + JOINERS} + n
     FROM generate_series(0, ${JOINERS - 1}) n, generate_series(1, ${MANY_GUILDS}) g`,
  `INSERT INTO member_roles (guild_id, account_id, role_id)
   SELECT guild_id, account_id, ${ROLE} + (guild_id - ${GUILD}) * ${ROLES_OF_A_GUILD} + n
     FROM members, unnest(ARRAY[account_id % 5, 5 + account_id % 5]) n WHERE guild_id <= ${GUILD + GUILDS}`,
  `UPDATE guilds SET member_count = (SELECT count(*) FROM members WHERE guild_id = guilds.id)`,
];

const CHANNELS = [
  `INSERT INTO channels (id, guild_id, type, name)
   SELECT ${CHANNEL} + g * ${CHANNELS_OF_A_GUILD} + n, ${GUILD} + g, 0, 'general'
     FROM generate_series(0, ${GUILDS}) g, generate_series(0, ${CHANNELS_OF_A_GUILD - 1}) n`,
  // Overwrites of @everyone and two roles: MANAGE_MESSAGES allowed, MENTION_EVERYONE denied.
  `INSERT INTO permission_overwrites (channel_id, id, type, allow, deny)
   SELECT channels.id, role, 0, 1 << 13, 1 << 17
     FROM channels, LATERAL (SELECT ${ROLE} + (guild_id - ${GUILD}) * ${ROLES_OF_A_GUILD} AS first) of_guild,
       unnest(ARRAY[guild_id, first, first + 7]) role`,
];

function messages(channel: number, count: number): string {
  return `
    INSERT INTO messages (channel_id, id, author_id, type, flags, content, embeds, mention_ids, mention_role_ids,
      mention_everyone)
    SELECT ${channel}, ${MESSAGE} + n, ${ACCOUNT} + n % ${AUTHORS}, 0, 0,
        'Message ' || n || ': what people say to each other is about as long as this.', '[]', '{}', '{}', false
      FROM generate_series(0, ${count - 1}) n`;
}
