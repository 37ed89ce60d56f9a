import { route } from '../route.ts';
import { chat } from '../service-definitions.ts';
import { REASON_HEADER } from './audit-log-reason.ts';
import { PICTURES_BODY_BYTES } from './pictures.ts';

/** Guilds, channels and messages (docs/guilds.md). */
export const chatRoutes = [
  route('POST /guilds', chat.createGuild, {
    access: 'user_or_bot',
    buckets: ['guild:create'],
    body: 'json',
    answer: 'guild',
  }),
  route('GET /guilds/{guild_id}', chat.getGuild, {
    access: 'user_or_bot',
    scope: 'guilds',
    buckets: ['guild:read'],
    answer: 'guild',
  }),
  route('PATCH /guilds/{guild_id}', chat.updateGuild, {
    access: 'user_or_bot',
    buckets: ['guild:update'],
    headers: REASON_HEADER,
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'guild',
  }),
  route('DELETE /guilds/{guild_id}', chat.deleteGuild, {
    access: 'user_or_bot',
    buckets: ['guild:delete'],
    status: 204,
  }),
  route('GET /users/@me/guilds', chat.listGuilds, {
    access: 'user_or_bot',
    scope: 'guilds',
    buckets: ['guild:list'],
    query: ['before', 'after', 'limit'],
    answer: 'guilds',
    as_json: true,
  }),
  route('DELETE /users/@me/guilds/{guild_id}', chat.leaveGuild, {
    access: 'user_or_bot',
    buckets: ['guild:leave'],
    status: 204,
  }),
  route('GET /guilds/{guild_id}/roles', chat.listRoles, {
    access: 'user_or_bot',
    scope: 'guilds',
    buckets: ['guild:role:list'],
    answer: 'roles',
  }),
  route('POST /guilds/{guild_id}/roles', chat.createRole, {
    access: 'user_or_bot',
    buckets: ['guild:role:create'],
    headers: REASON_HEADER,
    body: 'json',
    answer: 'role',
  }),
  route('PATCH /guilds/{guild_id}/roles', chat.updateRolePositions, {
    access: 'user_or_bot',
    buckets: ['guild:role:positions'],
    headers: REASON_HEADER,
    body: 'json',
    status: 204,
  }),
  route('PATCH /guilds/{guild_id}/roles/{role_id}', chat.updateRole, {
    access: 'user_or_bot',
    buckets: ['guild:role:update'],
    headers: REASON_HEADER,
    body: 'json',
    answer: 'role',
  }),
  route('DELETE /guilds/{guild_id}/roles/{role_id}', chat.deleteRole, {
    access: 'user_or_bot',
    buckets: ['guild:role:delete'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('GET /guilds/{guild_id}/channels', chat.listGuildChannels, {
    access: 'user_or_bot',
    buckets: ['guild:channels:list'],
    answer: 'channels',
  }),
  route('POST /guilds/{guild_id}/channels', chat.createChannel, {
    access: 'user_or_bot',
    buckets: ['guild:channel:create'],
    headers: REASON_HEADER,
    body: 'json',
    answer: 'channel',
  }),
  route('PATCH /guilds/{guild_id}/channels', chat.updateChannelPositions, {
    access: 'user_or_bot',
    buckets: ['guild:channel:positions'],
    headers: REASON_HEADER,
    body: 'json',
    status: 204,
  }),
  route('GET /channels/{channel_id}', chat.getChannel, {
    access: 'user_or_bot',
    buckets: ['channel:read'],
    answer: 'channel',
  }),
  route('PATCH /channels/{channel_id}', chat.updateChannel, {
    access: 'user_or_bot',
    buckets: ['channel:update'],
    headers: REASON_HEADER,
    body: 'json',
    answer: 'channel',
  }),
  route('DELETE /channels/{channel_id}', chat.deleteChannel, {
    access: 'user_or_bot',
    buckets: ['channel:delete'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('PUT /channels/{channel_id}/permissions/{overwrite_id}', chat.putOverwrite, {
    access: 'user_or_bot',
    buckets: ['channel:update'],
    headers: REASON_HEADER,
    body: 'json',
    status: 204,
  }),
  route('DELETE /channels/{channel_id}/permissions/{overwrite_id}', chat.deleteOverwrite, {
    access: 'user_or_bot',
    buckets: ['channel:update'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('GET /channels/{channel_id}/slowmode', chat.getSlowmode, {
    access: 'user_or_bot',
    buckets: ['channel:read'],
  }),
  route('GET /users/@me/channels', chat.listPrivateChannels, {
    access: 'user_or_bot',
    buckets: ['user:channels'],
    answer: 'channels',
  }),
  route('POST /users/@me/channels', chat.openPrivateChannel, {
    access: 'user_or_bot',
    buckets: ['user:channels'],
    member_buckets: { recipients: ['user:group_dm:create'] },
    body: 'json',
    body_limit_bytes: 64 * 1024,
    answer: 'channel',
  }),
  route('PUT /channels/{channel_id}/recipients/{user_id}', chat.addRecipient, {
    access: 'user_or_bot',
    buckets: ['channel:update', 'user:group_dm:recipient:add'],
    status: 204,
  }),
  route('DELETE /channels/{channel_id}/recipients/{user_id}', chat.removeRecipient, {
    access: 'user_or_bot',
    buckets: ['channel:update'],
    status: 204,
  }),
  route('POST /channels/{channel_id}/messages', chat.createMessage, {
    access: 'user_or_bot',
    buckets: ['channel:message:create'],
    body: 'json',
    answer: 'message',
  }),
  route('GET /channels/{channel_id}/messages', chat.listMessages, {
    access: 'user_or_bot',
    buckets: ['channel:messages:read'],
    query: ['around', 'before', 'after', 'limit'],
    answer: 'messages',
    as_json: true,
  }),
  route('GET /channels/{channel_id}/messages/{message_id}', chat.getMessage, {
    access: 'user_or_bot',
    buckets: ['channel:message:read'],
    answer: 'message',
  }),
  route('PATCH /channels/{channel_id}/messages/{message_id}', chat.updateMessage, {
    access: 'user_or_bot',
    buckets: ['channel:message:update'],
    body: 'json',
    answer: 'message',
  }),
  route('DELETE /channels/{channel_id}/messages/{message_id}', chat.deleteMessage, {
    access: 'user_or_bot',
    buckets: ['channel:message:delete'],
    status: 204,
  }),
  route('GET /guilds/{guild_id}/audit-logs', chat.listAuditLog, {
    access: 'user_or_bot',
    buckets: ['guild:audit_logs'],
    query: ['user_id', 'action_type', 'before', 'after', 'limit'],
  }),
];
