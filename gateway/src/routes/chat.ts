import { route } from '../route.ts';

/** Guilds, channels and messages (docs/guilds.md). */
export const chatRoutes = [
  route('POST /guilds', 'chat', 'createGuild', {
    who: 'user_or_bot',
    buckets: ['guild:create'],
    body: 'json',
    answer: 'guild',
  }),
  route('GET /guilds/{guild_id}', 'chat', 'getGuild', {
    who: 'user_or_bot',
    scope: 'guilds',
    buckets: ['guild:read'],
    answer: 'guild',
  }),
  route('GET /guilds/{guild_id}/channels', 'chat', 'listGuildChannels', {
    who: 'user_or_bot',
    buckets: ['guild:channels:list'],
    answer: 'channels',
  }),
  route('GET /channels/{channel_id}', 'chat', 'getChannel', {
    who: 'user_or_bot',
    buckets: ['channel:read'],
    answer: 'channel',
  }),
  route('DELETE /channels/{channel_id}', 'chat', 'deleteChannel', {
    who: 'user_or_bot',
    buckets: ['channel:delete'],
    headers: { 'x-audit-log-reason': 'reason' },
    status: 204,
  }),
  route('GET /users/@me/channels', 'chat', 'listPrivateChannels', {
    who: 'user_or_bot',
    buckets: ['user:channels'],
    answer: 'channels',
  }),
  route('POST /users/@me/channels', 'chat', 'openPrivateChannel', {
    who: 'user_or_bot',
    buckets: ['user:channels'],
    member_buckets: { recipients: ['user:group_dm:create'] },
    body: 'json',
    body_limit_bytes: 64 * 1024,
    answer: 'channel',
  }),
  route('PUT /channels/{channel_id}/recipients/{user_id}', 'chat', 'addRecipient', {
    who: 'user_or_bot',
    buckets: ['channel:update', 'user:group_dm:recipient:add'],
    status: 204,
  }),
  route('DELETE /channels/{channel_id}/recipients/{user_id}', 'chat', 'removeRecipient', {
    who: 'user_or_bot',
    buckets: ['channel:update'],
    status: 204,
  }),
  route('POST /channels/{channel_id}/messages', 'chat', 'createMessage', {
    who: 'user_or_bot',
    buckets: ['channel:message:create'],
    body: 'json',
    answer: 'message',
  }),
  route('GET /channels/{channel_id}/messages', 'chat', 'listMessages', {
    who: 'user_or_bot',
    buckets: ['channel:messages:read'],
    query: ['around', 'before', 'after', 'limit'],
    calls_at_once: 8,
    answer: 'messages',
  }),
  route('GET /channels/{channel_id}/messages/{message_id}', 'chat', 'getMessage', {
    who: 'user_or_bot',
    buckets: ['channel:message:read'],
    answer: 'message',
  }),
  route('PATCH /channels/{channel_id}/messages/{message_id}', 'chat', 'updateMessage', {
    who: 'user_or_bot',
    buckets: ['channel:message:update'],
    body: 'json',
    answer: 'message',
  }),
  route('DELETE /channels/{channel_id}/messages/{message_id}', 'chat', 'deleteMessage', {
    who: 'user_or_bot',
    buckets: ['channel:message:delete'],
    status: 204,
  }),
];
