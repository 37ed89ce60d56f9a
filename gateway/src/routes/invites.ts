import { route } from '../route.ts';
import { chat } from '../service-definitions.ts';
import { REASON_HEADER } from './audit-log-reason.ts';

/** Invites to guilds (docs/guilds.md#invites). */
export const inviteRoutes = [
  route('GET /channels/{channel_id}/invites', chat.listInvites, {
    access: 'user_or_bot',
    buckets: ['invite:list'],
    answer: 'invites',
  }),
  route('POST /channels/{channel_id}/invites', chat.createInvite, {
    access: 'user_or_bot',
    buckets: ['invite:create'],
    headers: REASON_HEADER,
    body: 'optional_json',
    answer: 'invite',
  }),
  route('GET /invites/{code}', chat.getInvite, {
    access: 'public',
    buckets: ['invite:read'],
    answer: 'invite',
  }),
  route('POST /invites/{code}', chat.acceptInvite, {
    access: 'user',
    buckets: ['invite:accept'],
    answer: 'invite',
  }),
  route('DELETE /invites/{code}', chat.deleteInvite, {
    access: 'user',
    buckets: ['invite:delete'],
    headers: REASON_HEADER,
    status: 204,
  }),
];
