import type { ChannelRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Channel, GuildState, Member } from '@gatehouse/proto/chat';
import type { GuildRows } from '../store/guilds/guild-states.ts';

/** A stored guild as readers of events receive it. */
export function viewGuildState({ guild, channels, members }: GuildRows): GuildState {
  return {
    guild,
    channels: channels.map(viewStateChannel),
    members: members.map((row) => ({ account_id: row.account_id, member: viewStateMember(row) })),
  };
}

/** Without users. */
export function viewStateChannel({ permission_overwrites, ...channel }: ChannelRow): Channel {
  return { ...channel, permission_overwrites: [...permission_overwrites], recipients: [] };
}

/** Without the user. */
export function viewStateMember({ account_id: _, role_ids, ...member }: MemberRow): Member {
  return { ...member, user: null, roles: [...role_ids] };
}
