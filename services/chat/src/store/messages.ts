import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Embed } from '@gatehouse/proto/chat';
import type { Message } from '../generated/prisma/client.ts';
import type { Records } from './records.ts';

export const MessageType = { DEFAULT: 0, RECIPIENT_ADD: 1 } as const;

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

export async function readMessage(
  records: Records,
  channelId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  if (!isSnowflake(channelId) || !isSnowflake(messageId)) return undefined;
  const found = await records.message.findUnique({
    where: { channel_id_id: { channel_id: BigInt(channelId), id: BigInt(messageId) } },
  });
  return found === null ? undefined : toRow(found);
}

function toRow(message: Message): MessageRow {
  return {
    ...message,
    id: String(message.id),
    channel_id: String(message.channel_id),
    author_id: message.author_id?.toString() ?? null,
    webhook_id: message.webhook_id?.toString() ?? null,
    embeds: message.embeds as unknown as Embed[], // as they were stored
    mention_ids: message.mention_ids.map(String),
    mention_role_ids: message.mention_role_ids.map(String),
    edited_at: message.edited_at?.toISOString() ?? null,
  };
}
