import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { LogEvent } from '../../src/world/event.ts';
import { changed, type PlainChat } from './naive-world.ts';
import { channel, guildRow, type PlainGuild, role } from './rows.ts';

/** All of chat after an event. A GUILD_CREATE's payload has the guild, since there is no database. */
export function after(plain: PlainChat, event: LogEvent): PlainChat {
  if (event.type === 'GUILD_CREATE') return created(plain, event);
  if (event.guild_id === undefined)
    return { ...plain, private_channels: privately(plain.private_channels, event) };
  if (event.account_ids.length > 0) return plain;
  const guilds = plain.guilds.flatMap((guild) =>
    guild.row.id === event.guild_id ? (changed(guild, event) ?? []) : guild,
  );
  return { ...plain, guilds };
}

function created(plain: PlainChat, { guild_id = '', payload }: LogEvent): PlainChat {
  if (plain.guilds.some(({ row }) => row.id === guild_id)) return plain;
  const { guild } = payload as { guild: PlainGuild };
  return { ...plain, guilds: [...plain.guilds, guild] };
}

function privately(all: PlainChat['private_channels'], event: LogEvent): PlainChat['private_channels'] {
  const own = event.account_ids.map((id) => [id, opened(all[id] ?? [], event)]);
  return { ...all, ...Object.fromEntries(own) };
}

/** An account's open private channels after an event that it receives. */
function opened(open: readonly ChannelRow[], { type, channel_id, payload }: LogEvent): readonly ChannelRow[] {
  const others = open.filter(({ id }) => id !== channel_id);
  const channel = open.find(({ id }) => id === channel_id);
  // The payloads are those that the commands wrote.
  const said = payload as { id: string; account_id: string };
  if (type === 'CHANNEL_CREATE') return [...others, payload as ChannelRow];
  if (type === 'CHANNEL_DELETE' || channel === undefined) return others;
  const recipients = channel.recipient_ids;
  switch (type) {
    case 'CHANNEL_UPDATE':
      return [...others, payload as ChannelRow];
    case 'CHANNEL_RECIPIENT_ADD':
      return [...others, { ...channel, recipient_ids: [...recipients, said.account_id] }];
    case 'CHANNEL_RECIPIENT_REMOVE':
      return [...others, { ...channel, recipient_ids: recipients.filter((id) => id !== said.account_id) }];
    case 'MESSAGE_CREATE':
      return [...others, { ...channel, last_message_id: said.id }];
    default:
      return open;
  }
}

/** A guild as CreateGuild creates it. */
export function newGuild(id: string, channelId: string, owner: string, permissions: bigint): PlainGuild {
  return {
    row: guildRow(id, owner),
    roles: [role(id, permissions)],
    channels: [channel(channelId, id)],
    members: [],
  };
}
