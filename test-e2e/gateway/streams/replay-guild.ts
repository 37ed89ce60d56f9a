import { Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { LogRow } from './chat-database.ts';
import {
  ABSENT,
  channelKey,
  guildDigest,
  guildUpdateKey,
  memberKey,
  messageKey,
  plainKey,
  roleKey,
  structureOf,
} from './event-keys.ts';
import type { ExpectedStreams } from './expected.ts';
import { applyTo, may, type PlainGuild, payloadOf, shownMember } from './plain-guild.ts';

/** Replays a guild's log, and records the events that each account should receive. */
export interface GuildReplay {
  readonly guild: PlainGuild;
  apply(event: LogRow): void;
  /** Records each account's state between two transactions. */
  place(): void;
}

const QUIET = new Set([
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'INVITE_CREATE',
  'INVITE_DELETE',
  'WEBHOOKS_UPDATE',
]);

/** The part of a guild that a member can see. */
interface View {
  readonly channel_ids: ReadonlySet<string>;
  readonly structure: string;
}

export function replayGuild(
  guild: PlainGuild,
  accounts: ReadonlySet<string>,
  streams: ExpectedStreams,
): GuildReplay {
  let views = viewsOf(guild, accounts);

  function tellAll(event: LogRow): void {
    const could = views;
    const deleted = guild.channels.get(event.channel_id ?? '');
    applyTo(guild, event, accounts);
    if (!QUIET.has(event.type)) views = viewsOf(guild, accounts);
    for (const account of accounts) {
      const deliver = (key: string) => streams.of(account, guild.row.id).deliver(key, event.id);
      const [was, is] = [could.get(account), views.get(account)];
      if (isDelivered(guild, event, account, was, is)) deliver(keyOf(guild, event, deleted));
      if (was !== undefined && is !== undefined && was !== is) deliverViews(was, is, deliver);
    }
  }

  /** Events for existing channels that became visible or invisible, ordered by position. */
  function deliverViews(was: View, is: View, deliver: (key: string) => void): void {
    for (const channel of inOrder(guild.channels.values())) {
      const [could, can] = [was.channel_ids.has(channel.id), is.channel_ids.has(channel.id)];
      if (could !== can && known.has(channel.id))
        deliver(can ? channelKey('CHANNEL_CREATE', channel) : plainKey('CHANNEL_HIDDEN', channel.id));
    }
  }
  /** Channel IDs before the event. */
  let known = new Set(guild.channels.keys());

  return {
    guild,
    apply: (event) => {
      if (event.account_ids === null) tellAll(event);
      else for (const account of event.account_ids) tellOne(account, event);
      if (event.type.startsWith('CHANNEL_')) known = new Set(guild.channels.keys());
    },
    place: () => {
      for (const account of accounts) streams.of(account, guild.row.id).place(digestFor(account));
    },
  };

  /** GUILD_CREATE and GUILD_DELETE, for accounts that join and leave. */
  function tellOne(account: string, { type, id }: LogRow): void {
    if (!accounts.has(account)) return;
    const shown = type === 'GUILD_CREATE' ? digestFor(account) : guild.row.id;
    streams.of(account, guild.row.id).deliver(plainKey(type, shown), id);
  }

  function digestFor(account: string): string {
    const view = views.get(account);
    if (view === undefined) return ABSENT;
    return guildDigest(view.structure, visible(guild, view.channel_ids));
  }
}

function viewsOf(guild: PlainGuild, accounts: ReadonlySet<string>): Map<string, View> {
  const views = new Map<string, View>();
  for (const account of accounts) {
    const own = guild.members.get(account);
    if (own === undefined) continue;
    const channels = [...guild.channels.values()].filter((one) => may(guild, one, account));
    const { row, roles } = guild;
    const structure = structureOf({ row, roles: roles.values(), channels, own: shownMember(own) });
    views.set(account, { channel_ids: new Set(channels.map(({ id }) => id)), structure });
  }
  return views;
}

function visible({ channels }: PlainGuild, ids: ReadonlySet<string>): ChannelRow[] {
  return [...channels.values()].filter(({ id }) => ids.has(id));
}

/** The receivers by docs/gateway.md#events. */
function isDelivered(
  guild: PlainGuild,
  event: LogRow,
  account: string,
  was: View | undefined,
  is: View | undefined,
): boolean {
  const channel_id = event.channel_id ?? '';
  const [could, can] = [was?.channel_ids.has(channel_id) === true, is?.channel_ids.has(channel_id) === true];
  switch (event.type) {
    case 'CHANNEL_CREATE':
      return can;
    case 'CHANNEL_DELETE':
      return could;
    case 'INVITE_CREATE':
    case 'INVITE_DELETE':
      return may(guild, guild.channels.get(channel_id), account, Permission.MANAGE_CHANNELS);
    case 'CHANNEL_UPDATE':
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
    case 'MESSAGE_DELETE':
      return could && can;
    case 'GUILD_MEMBER_ADD':
      return is !== undefined && payloadOf(event).member.account_id !== account;
    default:
      return is !== undefined;
  }
}

function keyOf(guild: PlainGuild, event: LogRow, deleted: ChannelRow | undefined): string {
  const said = payloadOf(event);
  const { type } = event;
  switch (type) {
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
      return messageKey(type, said);
    case 'MESSAGE_DELETE':
      return plainKey(type, said.channel_id, said.id);
    case 'GUILD_UPDATE':
      return guildUpdateKey(guild.row, guild.roles.values());
    case 'GUILD_ROLE_CREATE':
    case 'GUILD_ROLE_UPDATE':
      return roleKey(type, said.role);
    case 'GUILD_ROLE_DELETE':
      return plainKey(type, said.role_id);
    case 'GUILD_MEMBER_ADD':
    case 'GUILD_MEMBER_UPDATE':
      return memberKey(type, shownMember(said.member));
    case 'GUILD_MEMBER_REMOVE':
      return plainKey(type, said.account_id);
    case 'CHANNEL_CREATE':
    case 'CHANNEL_UPDATE':
    case 'CHANNEL_DELETE':
      return channelKey(type, type === 'CHANNEL_DELETE' && deleted ? deleted : channelOf(guild, event));
    case 'WEBHOOKS_UPDATE':
      return plainKey(type, said.channel_id);
    case 'INVITE_CREATE':
    case 'INVITE_DELETE':
      return plainKey(type, said.channel_id, said.code);
    default:
      throw new Error(`unexpected event ${type}`);
  }
}

function channelOf({ channels }: PlainGuild, { channel_id }: LogRow): ChannelRow {
  const channel = channels.get(channel_id ?? '');
  if (channel === undefined) throw new Error(`channel ${channel_id} is unknown`);
  return channel;
}

function inOrder(channels: Iterable<ChannelRow>): ChannelRow[] {
  return [...channels].sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
}
