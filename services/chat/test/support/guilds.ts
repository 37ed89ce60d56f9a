import type { Guild } from '@gatehouse/proto/chat';
import { as } from './requests.ts';
import type { ChatFixture } from './start-chat.ts';

let lastId = 900_000_000_000_000_000n;

/** A unique ID. */
export function newId(): string {
  lastId += 1n;
  return String(lastId);
}

/** Adds an account to the auth service. */
export function addAccount({ accounts }: ChatFixture, username = 'somebody'): string {
  const id = newId();
  accounts.set(id, { id, username, discriminator: '0', global_name: null, avatar: null, bot: false });
  return id;
}

export interface AddedGuild {
  readonly owner: string;
  readonly guild: Guild;
  readonly guild_id: string;
  /** The ID of its channel "general". */
  readonly general: string;
}

/** A new guild with its owner. */
export async function addGuild(fixture: ChatFixture): Promise<AddedGuild> {
  const owner = addAccount(fixture, 'owner');
  const { guild } = await fixture.chat.createGuild({ name: 'Guild' }, as(owner));
  if (guild === null) throw new Error('no guild was returned');
  const { channels } = await fixture.chat.listGuildChannels({ guild_id: guild.id }, as(owner));
  const general = channels[0]?.id;
  if (general === undefined) throw new Error('the guild has no channel');
  return { owner, guild, guild_id: guild.id, general };
}

/** Creates an account and adds it to the guild. */
export async function addMember(fixture: ChatFixture, guild_id: string): Promise<string> {
  const id = addAccount(fixture, 'member');
  await fixture.sql.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [guild_id, id]);
  await fixture.sql.query('UPDATE guilds SET member_count = member_count + 1 WHERE id = $1', [guild_id]);
  return id;
}

/** Creates a role, and assigns it to a member if one is named. */
export async function addRole(
  { sql }: ChatFixture,
  guild_id: string,
  permissions: bigint,
  {
    holder,
    mentionable = false,
    position = 1,
  }: { holder?: string; mentionable?: boolean; position?: number } = {},
): Promise<string> {
  const id = newId();
  await sql.query(
    `INSERT INTO roles (id, guild_id, name, position, permissions, mentionable)
     VALUES ($1, $2, 'role', $5, $3, $4)`,
    [id, guild_id, permissions, mentionable, position],
  );
  if (holder !== undefined) {
    await sql.query('INSERT INTO member_roles (guild_id, account_id, role_id) VALUES ($1, $2, $3)', [
      guild_id,
      holder,
      id,
    ]);
  }
  return id;
}

/** Inserts a channel; without a guild a private one. */
export async function addChannel(
  { sql }: ChatFixture,
  guild_id: string | null,
  type: number,
): Promise<string> {
  const id = newId();
  await sql.query(`INSERT INTO channels (id, guild_id, type, name, position) VALUES ($1, $2, $3, 'c', 1)`, [
    id,
    guild_id,
    type,
  ]);
  return id;
}

export async function addOverwrite(
  { sql }: ChatFixture,
  channel_id: string,
  overwrite: { id: string; type: number; allow?: bigint; deny?: bigint },
): Promise<void> {
  const { id, type, allow = 0n, deny = 0n } = overwrite;
  await sql.query(
    'INSERT INTO permission_overwrites (channel_id, id, type, allow, deny) VALUES ($1, $2, $3, $4, $5)',
    [channel_id, id, type, allow, deny],
  );
}

/** Inserts a private channel, by default a group DM owned by its first recipient. */
export async function addGroupDm(
  { sql }: ChatFixture,
  accounts: readonly string[],
  type = 3,
): Promise<string> {
  const id = newId();
  await sql.query('INSERT INTO channels (id, type, owner_id, recipient_ids) VALUES ($1, $2, $3, $4)', [
    id,
    type,
    accounts[0],
    accounts,
  ]);
  await sql.query('INSERT INTO channel_recipients (channel_id, account_id) SELECT $1, unnest($2::bigint[])', [
    id,
    accounts,
  ]);
  return id;
}
