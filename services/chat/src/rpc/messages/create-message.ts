import { viewMessage } from '@gatehouse/chat-client/message-view';
import { holds, Permission } from '@gatehouse/chat-client/permissions';
import type { MessageRow } from '@gatehouse/chat-client/rows';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { CreateMessageRequest, CreateMessageResponse } from '@gatehouse/proto/chat';
import { postAndReopen } from '../../channels/post-and-reopen.ts';
import type { Deps } from '../../deps.ts';
import { guildDisabled, noMessagesHere, slowmodeRateLimited } from '../../errors.ts';
import { accessChannel, type ChannelAccess } from '../../guilds/access.ts';
import { ALLOW_ALL } from '../../messages/mentions.ts';
import { readNewMessage } from '../../messages/message-rules.ts';
import { notifiedMentions } from '../../messages/notified-mentions.ts';
import { notPosted, postWithRecheck, requireSendable } from '../../messages/post-with-recheck.ts';
import { ChannelType } from '../../store/channels/channels.ts';
import { MessageType } from '../../store/messages/messages.ts';

export function createMessage({
  db,
  ids,
  users,
  takeSlowmode,
  eventsWritten,
  post,
}: Deps): Handler<CreateMessageRequest, CreateMessageResponse> {
  return async (request, call) => {
    const author_id = requireAccount(call.caller);
    const { content, embeds, flags, mentions, nonce } = readNewMessage(request, ALLOW_ALL);
    // Users are read first, so that nothing can fail after the message is stored.
    const [access, shownUsers] = await Promise.all([
      accessChannel(db, request.channel_id, author_id),
      users([author_id, ...mentions.user_ids]),
    ]);
    const { channel, guild_revision } = access;
    if (channel.type === ChannelType.CATEGORY) throw noMessagesHere();
    requireSendable(access, embeds);
    if (access.is_disabled) throw guildDisabled();

    const existing = mentions.user_ids.filter((id) => shownUsers.has(id));
    const notified = await notifiedMentions(db, mentions, access, existing);
    const draft: MessageRow = {
      id: ids(),
      channel_id: channel.id,
      author_id,
      webhook_id: null,
      webhook_name: null,
      webhook_avatar: null,
      type: MessageType.DEFAULT,
      flags,
      content,
      embeds,
      ...notified,
      pinned: false,
      edited_at: null,
    };

    // Slowmode comes last: only a message that passes all other checks starts the interval.
    await startSlowmode(takeSlowmode, access, author_id, call);

    const send = () => post({ message: draft, nonce, guild_revision });
    const outcome =
      channel.type === ChannelType.DM
        ? await postAndReopen({ db, eventsWritten }, channel.id, send)
        : await send();
    if (outcome !== 'posted' && outcome !== 'permissions_changed') throw notPosted(outcome);
    const message =
      outcome === 'posted'
        ? draft
        : await postWithRecheck({ db, eventsWritten, post }, { message: draft, author_id, mentions, nonce });
    return { message: { ...viewMessage(message, shownUsers), nonce } };
  };
}

/** @throws SLOWMODE_RATE_LIMITED before the end of the interval of the author's last message */
async function startSlowmode(
  takeSlowmode: Deps['takeSlowmode'],
  { channel, permissions }: ChannelAccess,
  account_id: string,
  call: Call,
): Promise<void> {
  const interval_seconds = channel.rate_limit_per_user;
  if (interval_seconds <= 0 || holds(permissions, Permission.BYPASS_SLOWMODE)) return;
  const retry_after_us = await takeSlowmode({ account_id, channel_id: channel.id, interval_seconds }, call);
  if (retry_after_us !== undefined) throw slowmodeRateLimited(retry_after_us);
}
