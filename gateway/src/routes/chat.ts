import { route } from '../route.ts';
import { REASON_HEADER } from './audit-log-reason.ts';
import { PICTURES_BODY_BYTES } from './pictures.ts';

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
  route('PATCH /guilds/{guild_id}', 'chat', 'updateGuild', {
    who: 'user_or_bot',
    buckets: ['guild:update'],
    headers: REASON_HEADER,
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'guild',
  }),
  route('DELETE /guilds/{guild_id}', 'chat', 'deleteGuild', {
    who: 'user_or_bot',
    buckets: ['guild:delete'],
    status: 204,
  }),
  route('GET /users/@me/guilds', 'chat', 'listGuilds', {
    who: 'user_or_bot',
    scope: 'guilds',
    buckets: ['guild:list'],
    query: ['before', 'after', 'limit'],
    answer: 'guilds',
  }),
  route('DELETE /users/@me/guilds/{guild_id}', 'chat', 'leaveGuild', {
    who: 'user_or_bot',
    buckets: ['guild:leave'],
    status: 204,
  }),
  route('GET /guilds/{guild_id}/roles', 'chat', 'listRoles', {
    who: 'user_or_bot',
    scope: 'guilds',
    buckets: ['guild:role:list'],
    answer: 'roles',
  }),
  route('POST /guilds/{guild_id}/roles', 'chat', 'createRole', {
    who: 'user_or_bot',
    buckets: ['guild:role:create'],
    headers: REASON_HEADER,
    body: 'json',
    answer: 'role',
  }),
  route('PATCH /guilds/{guild_id}/roles', 'chat', 'updateRolePositions', {
    who: 'user_or_bot',
    buckets: ['guild:role:positions'],
    headers: REASON_HEADER,
    body: 'json',
    status: 204,
  }),
  route('PATCH /guilds/{guild_id}/roles/{role_id}', 'chat', 'updateRole', {
    who: 'user_or_bot',
    buckets: ['guild:role:update'],
    headers: REASON_HEADER,
    body: 'json',
    answer: 'role',
  }),
  route('DELETE /guilds/{guild_id}/roles/{role_id}', 'chat', 'deleteRole', {
    who: 'user_or_bot',
    buckets: ['guild:role:delete'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('GET /guilds/{guild_id}/channels', 'chat', 'listGuildChannels', {
    who: 'user_or_bot',
    buckets: ['guild:channels:list'],
    answer: 'channels',
  }),
  route('POST /guilds/{guild_id}/channels', 'chat', 'createChannel', {
    who: 'user_or_bot',
    buckets: ['guild:channel:create'],
    headers: REASON_HEADER,
    body: 'json',
    answer: 'channel',
  }),
  route('PATCH /guilds/{guild_id}/channels', 'chat', 'updateChannelPositions', {
    who: 'user_or_bot',
    buckets: ['guild:channel:positions'],
    headers: REASON_HEADER,
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
    headers: REASON_HEADER,
    body: 'json',
    answer: 'channel',
  }),
  route('DELETE /channels/{channel_id}', 'chat', 'deleteChannel', {
    who: 'user_or_bot',
    buckets: ['channel:delete'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('PUT /channels/{channel_id}/permissions/{overwrite_id}', 'chat', 'putOverwrite', {
    who: 'user_or_bot',
    buckets: ['channel:update'],
    headers: REASON_HEADER,
    body: 'json',
    status: 204,
  }),
  route('DELETE /channels/{channel_id}/permissions/{overwrite_id}', 'chat', 'deleteOverwrite', {
    who: 'user_or_bot',
    buckets: ['channel:update'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('GET /channels/{channel_id}/slowmode', 'chat', 'getSlowmode', {
    who: 'user_or_bot',
    buckets: ['channel:read'],
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
  route('GET /guilds/{guild_id}/audit-logs', 'chat', 'listAuditLog', {
    who: 'user_or_bot',
    buckets: ['guild:audit_logs'],
    query: ['user_id', 'action_type', 'before', 'after', 'limit'],
  }),
];
