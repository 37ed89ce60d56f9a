import { viewMember } from '@gatehouse/chat-client/member-view';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { User } from '@gatehouse/proto/auth';
import type { Role } from '@gatehouse/proto/chat';
import { byPosition } from './by-position.ts';
import { guildChannel } from './channel-payload.ts';
import { isObject } from './fields.ts';
import { arrayText, extend, writeGuild, writeMember } from './texts.ts';

/** A guild as a session is shown it in READY and GUILD_CREATE. */
export interface ShownGuild {
  readonly row: GuildRow;
  readonly roles: readonly Role[];
  /** Those that the session can view. */
  readonly channels: readonly ChannelRow[];
  /** The session's own first. */
  readonly members: readonly [own: MemberRow, ...others: MemberRow[]];
}

/** The guild with channels and members; `joined_at` is the own member's. */
export function guildPayload(guild: ShownGuild, users: ReadonlyMap<string, User>): string {
  const { row, roles, channels, members } = guild;
  return extend(writeGuild({ ...row, roles: byPosition(roles) }).text, {
    channels: arrayText(byPosition(channels).map(guildChannel)),
    members: arrayText(members.map((member) => writeMember(viewMember(member, users)).text)),
    joined_at: JSON.stringify(members[0].joined_at),
  });
}

/** A guild of the log, whose roles are not in it. */
export function guildUpdatePayload(payload: unknown, roles: readonly Role[]): string | undefined {
  if (!isObject(payload)) return undefined;
  const { text, whole } = writeGuild({ ...payload, roles: byPosition(roles) });
  return whole ? text : undefined;
}
