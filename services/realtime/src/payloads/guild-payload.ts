import { viewMember } from '@gatehouse/chat-client/member-view';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { User } from '@gatehouse/proto/auth';
import type { Role } from '@gatehouse/proto/chat';
import { isObject } from '../json-types.ts';
import { byPosition } from '../world/order.ts';
import { guildChannel } from './channel-payload.ts';
import { arrayText, extend, writeGuild, writeMember } from './texts.ts';

/** A guild as READY and GUILD_CREATE show it to an account. */
export interface VisibleGuild {
  readonly row: GuildRow;
  readonly roles: readonly Role[];
  /** The channels that the account can view. */
  readonly channels: readonly ChannelRow[];
  /** The account's own member first. */
  readonly members: readonly [own: MemberRow, ...others: MemberRow[]];
}

/** `joined_at` is the own member's. */
export function guildPayload(guild: VisibleGuild, users: ReadonlyMap<string, User>): string {
  const { row, roles, channels, members } = guild;
  return extend(writeGuild({ ...row, roles: roles.toSorted(byPosition) }).text, {
    channels: arrayText(channels.toSorted(byPosition).map(guildChannel)),
    members: arrayText(members.map((member) => writeMember(viewMember(member, users)).text)),
    joined_at: JSON.stringify(members[0].joined_at),
  });
}

/** The text of a guild from the log, which has no roles. */
export function guildUpdatePayload(payload: unknown, roles: readonly Role[]): string | undefined {
  if (!isObject(payload)) return undefined;
  const { text, complete } = writeGuild({ ...payload, roles: roles.toSorted(byPosition) });
  return complete ? text : undefined;
}
