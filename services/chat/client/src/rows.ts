import type { Channel, Embed, Guild, PermissionOverwrite } from '@gatehouse/proto/chat';

/** A guild's own row, as its event's payload holds it. */
export type GuildRow = Omit<Guild, 'roles' | 'permissions'>;

/** A channel as it is stored, and as its event's payload holds it. */
export interface ChannelRow extends Omit<Channel, 'recipients' | 'permission_overwrites'> {
  readonly permission_overwrites: readonly PermissionOverwrite[];
  /** Of a private channel: all that are in it, in the order in which they came. */
  readonly recipient_ids: readonly string[];
}

/** A member as it is stored, and as its event's payload holds it. */
export interface MemberRow {
  readonly account_id: string;
  readonly nick: string | null;
  readonly avatar: string | null;
  readonly banner: string | null;
  readonly bio: string | null;
  readonly pronouns: string | null;
  readonly accent_color: number | null;
  /** IDs, without @everyone's. */
  readonly role_ids: readonly string[];
  /** ISO 8601. */
  readonly joined_at: string;
}

/** A message as it is stored, and as its event's payload holds it. */
export interface MessageRow {
  readonly id: string;
  readonly channel_id: string;
  /** The account's that wrote it; null for a webhook's. */
  readonly author_id: string | null;
  readonly webhook_id: string | null;
  /** The name it was posted under. */
  readonly webhook_name: string | null;
  readonly webhook_avatar: string | null;
  readonly type: number;
  readonly flags: number;
  readonly content: string;
  readonly embeds: readonly Embed[];
  readonly mention_ids: readonly string[];
  readonly mention_role_ids: readonly string[];
  readonly mention_everyone: boolean;
  readonly pinned: boolean;
  /** ISO 8601. */
  readonly edited_at: string | null;
}
