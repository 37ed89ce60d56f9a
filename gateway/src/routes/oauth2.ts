import { route } from '../route.ts';
import { AUTH_BODY_BYTES, SUDO_BUCKETS } from './sudo.ts';

/** Applications and their bots (docs/oauth2.md#applications). */
export const oauth2Routes = [
  route('POST /oauth2/applications', 'oauth2', 'createApplication', {
    who: 'user',
    buckets: ['oauth_dev:clients:create'],
    body: 'json',
    answer: 'application',
  }),
  route('GET /oauth2/applications/@me', 'oauth2', 'listApplications', {
    who: 'user',
    buckets: ['oauth_dev:clients:list'],
    answer: 'applications',
  }),
  route('GET /oauth2/applications/{application_id}', 'oauth2', 'getApplication', {
    who: 'user',
    buckets: ['oauth_dev:clients:list'],
    answer: 'application',
  }),
  route('POST /oauth2/applications/{application_id}/bot/reset-token', 'auth', 'resetBotToken', {
    who: 'user',
    buckets: ['oauth_dev:clients:rotate_secret'],
    member_buckets: SUDO_BUCKETS,
    body: 'optional_json',
    body_limit_bytes: AUTH_BODY_BYTES,
  }),
  route('GET /applications/@me', 'oauth2', 'getBotApplication', {
    who: 'bot',
    buckets: ['oauth_dev:clients:list'],
    answer: 'application',
  }),
  route('GET /gateway/bot', 'auth', 'getBotGateway', { who: 'bot', buckets: ['gateway:bot_info'] }),
];
