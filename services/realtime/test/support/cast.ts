import { Permission } from '@gatehouse/chat-client/permissions';
import type { PlainChat } from '../world/naive-world.ts';
import { channel, guildRow, member, overwrite, type PlainGuild, role } from '../world/rows.ts';

export const GUILD = '11';
export const GENERAL = '21';
/** A role without members. */
export const SECRET = '22';
export const STAFF = '12';
/** The guild's owner. */
export const OWNER = '1001';
export const ANN = '1002';

/** A guild with these members, a channel for all and one for staff. */
export function guildOf(...accounts: readonly string[]): PlainGuild {
  const hidden = [
    overwrite(GUILD, 0, 0n, Permission.VIEW_CHANNEL),
    overwrite(STAFF, 0, Permission.VIEW_CHANNEL, 0n),
  ];
  return {
    row: guildRow(GUILD, OWNER),
    roles: [role(GUILD, Permission.VIEW_CHANNEL), role(STAFF, 0n, 1)],
    channels: [
      channel(GENERAL, GUILD),
      channel(SECRET, GUILD, { permission_overwrites: hidden, position: 1 }),
    ],
    members: accounts.map((id) => member(id)),
  };
}

export function chatOf(...accounts: readonly string[]): PlainChat {
  return { guilds: [guildOf(...accounts)], private_channels: {} };
}

let lastMessage = 5_000;

/** A stored message in a channel of the guild. */
export function message(channel_id: string = GENERAL, content = 'hello') {
  const id = String(++lastMessage);
  const payload = {
    id,
    channel_id,
    author_id: OWNER,
    webhook_id: null,
    webhook_name: null,
    webhook_avatar: null,
    type: 0,
    flags: 0,
    content,
    embeds: [],
    mention_ids: [],
    mention_role_ids: [],
    mention_everyone: false,
    pinned: false,
    edited_at: null,
  };
  return ['MESSAGE_CREATE', payload, { guild_id: GUILD, channel_id }] as const;
}
