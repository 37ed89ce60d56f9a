import { hash } from 'node:crypto';
import { viewMessage } from '@gatehouse/chat-client/message-view';
import type { MessageRow } from '@gatehouse/chat-client/rows';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { CreateWebhookMessageRequest, CreateWebhookMessageResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { guildDisabled, notFound, webhookCheckOutdated } from '../../errors.ts';
import { ALLOW_NONE } from '../../messages/mentions.ts';
import { readNewMessage } from '../../messages/message-rules.ts';
import { findWebhookFence } from '../../store/guilds/webhook-fences.ts';
import { MessageType } from '../../store/messages/messages.ts';

export function createWebhookMessage({
  db,
  ids,
  users,
  post,
}: Deps): Handler<CreateWebhookMessageRequest, CreateWebhookMessageResponse> {
  return async (request) => {
    const { username, content, embeds, flags, mentions } = readNewMessage(request, ALLOW_NONE);
    if (request.check_only) return { message: null, embeds };
    if (!isSnowflake(request.channel_id)) throw notFound('channel');
    // Users are read first, so that nothing can fail after the message is stored.
    const shownUsers = await users(mentions.user_ids);
    const message: MessageRow = {
      id: ids(),
      channel_id: request.channel_id,
      author_id: null,
      webhook_id: request.webhook_id,
      webhook_name: username,
      webhook_avatar: request.avatar ?? null,
      type: MessageType.DEFAULT,
      flags,
      content,
      embeds,
      mention_ids: mentions.user_ids.filter((id) => shownUsers.has(id)),
      mention_role_ids: [], // not resolved: docs/webhooks.md#role-mentions
      mention_everyone: mentions.everyone,
      pinned: false,
      edited_at: null,
    };
    const deduplication_sha256 = sha256(request.deduplication_key ?? '');
    const posted = await post({ message, deduplication_sha256, fence: request.fence });
    switch (posted) {
      case 'posted':
        return { message: viewMessage(message, shownUsers), embeds: [] };
      case 'taken':
        return { message: null, embeds: [] };
      case 'permissions_changed':
        throw await outdatedCheck(db, message.channel_id);
      case 'guild_disabled':
        throw guildDisabled();
      case 'channel_gone':
        throw notFound('channel');
    }
  };
}

/** A private channel has no fence, and takes no message of a webhook at all. */
async function outdatedCheck(db: Deps['db'], channelId: string): Promise<Error> {
  const fence = await findWebhookFence(db, channelId);
  return fence === undefined ? notFound('channel') : webhookCheckOutdated(fence);
}

/** Without a key the message is not deduplicated. */
function sha256(key: string): string | null {
  return key === '' ? null : hash('sha256', key, 'hex');
}
