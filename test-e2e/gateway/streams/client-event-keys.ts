import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';
import {
  channelKey,
  guildDigest,
  guildUpdateKey,
  memberKey,
  messageKey,
  plainKey,
  privateDigest,
  privateKey,
  roleKey,
  type ScopeId,
  type ShownMember,
  structureOf,
} from './event-keys.ts';

/** An event as a client received it, as a key of event-keys.ts. */
export interface ClientEventKey {
  readonly scope: ScopeId;
  readonly key: string;
}

interface ClientMember extends Pick<MemberRow, 'nick' | 'joined_at'> {
  readonly user: { readonly id: string };
  readonly roles: readonly string[];
}

export interface ClientGuild extends GuildRow {
  readonly roles: readonly Role[];
  readonly channels: readonly ChannelRow[];
  readonly members: readonly ClientMember[];
}

export interface ClientPrivateChannel {
  readonly id: string;
  readonly name?: string | null;
  readonly last_message_id: string | null;
  /** Absent if the others have left. */
  readonly recipients?: readonly { readonly id: string }[];
}

/** Payload fields of all event types together. */
type Any = ClientGuild &
  Omit<ClientPrivateChannel, 'name'> &
  Omit<ClientMember, 'roles'> & {
    readonly guild_id?: string;
    readonly channel_id: string;
    readonly role: Role;
    readonly role_id: string;
    readonly code: string;
    readonly permission_overwrites?: unknown;
    readonly content?: string;
  };

/** Undefined for other event types. */
export function clientEventKey(t: string, d: unknown, account_id: string): ClientEventKey | undefined {
  const all = d as Any; // Each event type reads its own fields; a missing one results in a wrong key.
  const scope = t.startsWith('GUILD_')
    ? (all.guild_id ?? all.id)
    : (all.guild_id ?? all.channel_id ?? all.id);
  const key = keyOf(t, all, account_id);
  return key === undefined ? undefined : { scope, key };
}

function keyOf(t: string, d: Any, account_id: string): string | undefined {
  switch (t) {
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
      return messageKey(t, d);
    case 'MESSAGE_DELETE':
      return plainKey(t, d.channel_id, d.id);
    case 'GUILD_CREATE':
      return plainKey(t, clientGuildDigest(d, account_id));
    case 'GUILD_UPDATE':
      return guildUpdateKey(d, d.roles);
    case 'GUILD_DELETE':
      return plainKey(t, d.id);
    case 'GUILD_ROLE_CREATE':
    case 'GUILD_ROLE_UPDATE':
      return roleKey(t, d.role);
    case 'GUILD_ROLE_DELETE':
      return plainKey(t, d.role_id);
    case 'GUILD_MEMBER_ADD':
    case 'GUILD_MEMBER_UPDATE':
      return memberKey(t, shownMember(d as unknown as ClientMember)); // as its type says
    case 'GUILD_MEMBER_REMOVE':
      return plainKey(t, d.user.id);
    case 'CHANNEL_CREATE':
    case 'CHANNEL_UPDATE':
    case 'CHANNEL_DELETE':
      return channelLikeKey(t, d);
    case 'CHANNEL_RECIPIENT_ADD':
    case 'CHANNEL_RECIPIENT_REMOVE':
      return plainKey(t, d.channel_id, d.user.id);
    case 'WEBHOOKS_UPDATE':
      return plainKey(t, d.channel_id);
    case 'INVITE_CREATE':
    case 'INVITE_DELETE':
      return plainKey(t, d.channel_id, d.code);
    default:
      return undefined;
  }
}

function channelLikeKey(t: string, d: Any): string {
  if (d.guild_id === undefined) return privateKey(t, privateShown(d));
  // A channel that became invisible has only its IDs.
  return d.permission_overwrites === undefined
    ? plainKey('CHANNEL_HIDDEN', d.id)
    : channelKey(t, d as unknown as ChannelRow); // as its type says
}

export function clientGuildDigest(guild: ClientGuild, account_id: string): string {
  const member = guild.members.find(({ user }) => user.id === account_id);
  if (member === undefined) return 'own member is missing';
  const { roles, channels } = guild;
  return guildDigest(structureOf({ row: guild, roles, channels, own: shownMember(member) }), channels);
}

export function clientPrivateDigest(channel: ClientPrivateChannel): string {
  return privateDigest(privateShown(channel));
}

function privateShown({ id, name, last_message_id, recipients = [] }: ClientPrivateChannel) {
  return { id, name, last_message_id, others: recipients.map((one) => one.id) };
}

function shownMember({ user, nick, roles, joined_at }: ClientMember): ShownMember {
  return { id: user.id, nick, role_ids: roles, joined_at };
}
