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
