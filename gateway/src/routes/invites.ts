import { route } from '../route.ts';
import { REASON_HEADER } from './audit-log-reason.ts';

/** Invites to guilds (docs/guilds.md#invites). */
export const inviteRoutes = [
  route('GET /channels/{channel_id}/invites', 'chat', 'listInvites', {
    who: 'user_or_bot',
    buckets: ['invite:list'],
    answer: 'invites',
  }),
  route('POST /channels/{channel_id}/invites', 'chat', 'createInvite', {
    who: 'user_or_bot',
    buckets: ['invite:create'],
    headers: REASON_HEADER,
    body: 'optional_json',
    answer: 'invite',
  }),
  route('GET /invites/{code}', 'chat', 'getInvite', {
    who: 'public',
    buckets: ['invite:read'],
    answer: 'invite',
  }),
  route('POST /invites/{code}', 'chat', 'acceptInvite', {
    who: 'user',
    buckets: ['invite:accept'],
    answer: 'invite',
  }),
  route('DELETE /invites/{code}', 'chat', 'deleteInvite', {
    who: 'user',
    buckets: ['invite:delete'],
    headers: REASON_HEADER,
    status: 204,
  }),
];
