import type { Logger } from '@gatehouse/kit/log';
import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import type { AdminGuild } from '@gatehouse/proto/chat-admin';
import type { AdminApplication } from '@gatehouse/proto/oauth2-admin';
import type { AdminWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import type { Clients } from '../clients.ts';
import { READ_TIMEOUT } from './gather.ts';

/** The services look up so many IDs at once. */
const MAX_IDS = 100;

/** An account beside its ID in another thing. */
export interface NamedAccount
  extends Pick<AdminAccount, 'username' | 'bot' | 'suspension' | 'owner_id' | 'owner_username'> {
  /** Of a bot: that of its owner, which refuses the bot too. */
  readonly owner_suspension: AdminAccount['owner_suspension'];
}

/** A webhook with the names of those that it has as IDs. Without an answer, or without such an account, none. */
export interface NamedWebhook extends AdminWebhook {
  readonly creator: NamedAccount | undefined;
  readonly guild_name: string | undefined;
}

/** An application with its owner. Without an answer, or without such an account, none. */
export interface NamedApplication extends AdminApplication {
  readonly owner: NamedAccount | undefined;
}

/** A guild with its owner. Without an answer, or without such an account, none. */
export interface NamedGuild extends AdminGuild {
  readonly owner: NamedAccount | undefined;
}

interface Names {
  readonly clients: Clients;
  readonly log: Logger;
}

/** Names creators and guilds of webhooks, with one look-up each. */
export async function nameWebhooks(deps: Names, webhooks: readonly AdminWebhook[]): Promise<NamedWebhook[]> {
  const [accounts, guilds] = await Promise.all([
    accountsOf(
      deps,
      webhooks.map(({ creator_id }) => creator_id),
    ),
    guildNames(
      deps,
      webhooks.map(({ guild_id }) => guild_id),
    ),
  ]);
  return webhooks.map((webhook) => ({
    ...webhook,
    creator: accounts.get(webhook.creator_id ?? ''),
    guild_name: guilds.get(webhook.guild_id),
  }));
}

/** Names the owners of applications, with one look-up. */
export async function nameApplications(
  deps: Names,
  applications: readonly AdminApplication[],
): Promise<NamedApplication[]> {
  const owners = await accountsOf(
    deps,
    applications.map(({ owner_id }) => owner_id),
  );
  return applications.map((application) => ({ ...application, owner: owners.get(application.owner_id) }));
}

/** Names the owners of guilds, with one look-up. */
export async function nameGuilds(deps: Names, guilds: readonly AdminGuild[]): Promise<NamedGuild[]> {
  const owners = await accountsOf(
    deps,
    guilds.map(({ owner_id }) => owner_id),
  );
  return guilds.map((guild) => ({ ...guild, owner: owners.get(guild.owner_id) }));
}

/** The accounts by their IDs. */
export async function accountsOf(
  { clients, log }: Names,
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, NamedAccount>> {
  const wanted = distinct(ids);
  if (wanted.length === 0) return new Map();
  const found = await orUnnamed(log, clients.auth.findAccounts({ query: '', ids: wanted }, READ_TIMEOUT));
  return new Map((found?.accounts ?? []).map((account) => [account.id, namedAccount(account)]));
}

async function guildNames(
  { clients, log }: Names,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = distinct(ids);
  if (wanted.length === 0) return new Map();
  const found = await orUnnamed(log, clients.chat.findGuilds({ query: '', ids: wanted }, READ_TIMEOUT));
  return new Map((found?.guilds ?? []).map(({ id, name }) => [id, name]));
}

function namedAccount(account: AdminAccount): NamedAccount {
  const { username, bot, suspension, owner_id, owner_username, owner_suspension } = account;
  return { username, bot, suspension, owner_id, owner_username, owner_suspension };
}

function distinct(ids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id != null))].slice(0, MAX_IDS);
}

/** A page shows IDs without names rather than no page: a service may be away, or not have this look-up yet. */
async function orUnnamed<T>(log: Logger, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    log.debug({ err: error }, 'names of a page are not available');
    return undefined;
  }
}
