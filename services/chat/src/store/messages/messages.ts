import type { MessageRow } from '@gatehouse/chat-client/rows';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Embed } from '@gatehouse/proto/chat';
import type { Message } from '../../generated/prisma/client.ts';
import type { PrismaClient } from '../prisma.ts';

export const MessageType = { DEFAULT: 0, RECIPIENT_ADD: 1 } as const;

export async function findMessage(
  prisma: PrismaClient,
  channelId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  if (!isSnowflake(channelId) || !isSnowflake(messageId)) return undefined;
  const found = await prisma.message.findUnique({
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
    embeds: message.embeds as unknown as Embed[], // their stored form
    mention_ids: message.mention_ids.map(String),
    mention_role_ids: message.mention_role_ids.map(String),
    edited_at: message.edited_at?.toISOString() ?? null,
  };
}
