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
  route('POST /guilds/{guild_id}/channels', 'chat', 'createChannel', {
    who: 'user_or_bot',
    buckets: ['guild:channel:create'],
    headers: { 'x-audit-log-reason': 'reason' },
    body: 'json',
    answer: 'channel',
  }),
  route('PATCH /guilds/{guild_id}/channels', 'chat', 'updateChannelPositions', {
    who: 'user_or_bot',
    buckets: ['guild:channel:positions'],
    headers: { 'x-audit-log-reason': 'reason' },
    body: 'json',
    status: 204,
  }),
  route('GET /channels/{channel_id}', 'chat', 'getChannel', {
    who: 'user_or_bot',
    buckets: ['channel:read'],
    answer: 'channel',
  }),
  route('PATCH /channels/{channel_id}', 'chat', 'updateChannel', {
    who: 'user_or_bot',
    buckets: ['channel:update'],
    headers: { 'x-audit-log-reason': 'reason' },
    body: 'json',
    answer: 'channel',
  }),
  route('DELETE /channels/{channel_id}', 'chat', 'deleteChannel', {
    who: 'user_or_bot',
    buckets: ['channel:delete'],
    headers: { 'x-audit-log-reason': 'reason' },
    status: 204,
  }),
  route('PUT /channels/{channel_id}/permissions/{overwrite_id}', 'chat', 'putOverwrite', {
    who: 'user_or_bot',
    buckets: ['channel:update'],
    headers: { 'x-audit-log-reason': 'reason' },
    body: 'json',
    status: 204,
  }),
  route('DELETE /channels/{channel_id}/permissions/{overwrite_id}', 'chat', 'deleteOverwrite', {
    who: 'user_or_bot',
    buckets: ['channel:update'],
    headers: { 'x-audit-log-reason': 'reason' },
    status: 204,
  }),
  route('GET /channels/{channel_id}/slowmode', 'chat', 'getSlowmode', {
    who: 'user_or_bot',
    buckets: ['channel:read'],
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
];
