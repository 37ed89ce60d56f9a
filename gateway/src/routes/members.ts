import { route } from '../route.ts';
import { chat } from '../service-definitions.ts';
import { REASON_HEADER } from './audit-log-reason.ts';
import { PICTURES_BODY_BYTES } from './pictures.ts';

/** Members of guilds and their roles (docs/guilds.md#members). */
export const memberRoutes = [
  route('GET /guilds/{guild_id}/members', chat.listMembers, {
    access: 'user_or_bot',
    buckets: ['guild:members'],
    query: ['after', 'limit', 'query'],
    answer: 'members',
    as_json: true,
  }),
  route('GET /guilds/{guild_id}/members/{user_id}', chat.getMember, {
    access: 'user_or_bot',
    buckets: ['guild:members'],
    answer: 'member',
  }),
  route('PATCH /guilds/{guild_id}/members/@me', chat.updateOwnMember, {
    access: 'user_or_bot',
    buckets: ['guild:member:update'],
    headers: REASON_HEADER,
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'member',
  }),
  route('PATCH /guilds/{guild_id}/members/{user_id}', chat.updateMember, {
    access: 'user_or_bot',
    buckets: ['guild:member:update'],
    headers: REASON_HEADER,
    body: 'json',
    answer: 'member',
  }),
  route('DELETE /guilds/{guild_id}/members/{user_id}', chat.removeMember, {
    access: 'user_or_bot',
    buckets: ['guild:member:remove'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}', chat.addMemberRole, {
    access: 'user_or_bot',
    buckets: ['guild:member:role:add'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('DELETE /guilds/{guild_id}/members/{user_id}/roles/{role_id}', chat.removeMemberRole, {
    access: 'user_or_bot',
    buckets: ['guild:member:role:remove'],
    headers: REASON_HEADER,
    status: 204,
  }),
  route('GET /guilds/{guild_id}/bots', chat.listGuildBots, {
    access: 'user_or_bot',
    buckets: [],
    query: ['after', 'limit'],
    answer: 'bots',
  }),
];
