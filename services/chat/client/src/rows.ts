import type { Channel, Embed, Guild, PermissionOverwrite } from '@gatehouse/proto/chat';

/** A guild's row, as the payloads of its events have it. */
export type GuildRow = Omit<Guild, 'roles' | 'permissions'>;

/** A channel's row, as the payloads of its events have it. */
export interface ChannelRow extends Omit<Channel, 'recipients' | 'permission_overwrites'> {
  readonly permission_overwrites: readonly PermissionOverwrite[];
  /** For a private channel: its recipients in the order in which they joined. */
  readonly recipient_ids: readonly string[];
}

/** A member's row, as the payloads of its events have it. */
export interface MemberRow {
  readonly account_id: string;
  readonly nick: string | null;
  readonly avatar: string | null;
  readonly banner: string | null;
  readonly bio: string | null;
  readonly pronouns: string | null;
  readonly accent_color: number | null;
  /** IDs, without @everyone. */
  readonly role_ids: readonly string[];
  /** ISO 8601. */
  readonly joined_at: string;
}

/** A message's row, as the payloads of its events have it. */
export interface MessageRow {
  readonly id: string;
  readonly channel_id: string;
  /** The author's account; null for a webhook's message. */
  readonly author_id: string | null;
  readonly webhook_id: string | null;
  /** The name under which it was posted. */
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
