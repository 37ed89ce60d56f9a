import { route } from '../route.ts';
import { auth, oauth2 } from '../service-definitions.ts';
import { REASON_HEADER } from './audit-log-reason.ts';
import { PICTURES_BODY_BYTES } from './pictures.ts';
import { AUTH_BODY_BYTES, SUDO_BUCKETS } from './sudo.ts';

const KiB = 1024;
/** The token routes take forms. HTTP/1.0 caches must not keep their answers either (RFC 6749 §5.1). */
const FORM = {
  headers: { authorization: 'authorization', 'content-type': 'content_type' },
  body: { bytes: 'body' },
  body_limit_bytes: 64 * KiB,
  answer_headers: { pragma: 'no-cache' },
  oauth2_errors: true,
} as const;

/** Applications, their bots, consent and tokens (docs/oauth2.md). */
export const oauth2Routes = [
  route('POST /oauth2/applications', oauth2.createApplication, {
    access: 'user',
    buckets: ['oauth_dev:clients:create'],
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'application',
  }),
  route('GET /oauth2/applications/@me', oauth2.listApplications, {
    access: 'user',
    buckets: ['oauth_dev:clients:list'],
    answer: 'applications',
  }),
  route('GET /oauth2/applications/{application_id}', oauth2.getApplication, {
    access: 'user',
    buckets: ['oauth_dev:clients:list'],
    answer: 'application',
  }),
  route('PATCH /oauth2/applications/{application_id}', oauth2.updateApplication, {
    access: 'user',
    buckets: ['oauth_dev:clients:update'],
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'application',
  }),
  route('DELETE /oauth2/applications/{application_id}', oauth2.deleteApplication, {
    access: 'user',
    buckets: ['oauth_dev:clients:delete'],
    status: 204,
  }),
  route('GET /oauth2/applications/{application_id}/public', oauth2.getPublicApplication, {
    access: 'user',
    buckets: ['oauth_dev:clients:list'],
    answer: 'application',
  }),
  route('GET /oauth2/applications/{application_id}/name', oauth2.getApplicationName, {
    access: 'public',
    buckets: ['oauth:authorize'],
  }),
  route('POST /oauth2/applications/{application_id}/client-secret/reset', oauth2.resetClientSecret, {
    access: 'user',
    buckets: ['oauth_dev:clients:rotate_secret'],
    answer: 'application',
  }),
  route('GET /oauth2/applications/{application_id}/secrets', oauth2.listClientSecrets, {
    access: 'user',
    buckets: [],
    answer: 'secrets',
  }),
  route('POST /oauth2/applications/{application_id}/secrets', oauth2.createClientSecret, {
    access: 'user',
    buckets: [],
    answer: 'secret',
  }),
  route('DELETE /oauth2/applications/{application_id}/secrets/{secret_id}', oauth2.deleteClientSecret, {
    access: 'user',
    buckets: [],
    status: 204,
  }),
  route('GET /oauth2/applications/{application_id}/installations', oauth2.getInstallations, {
    access: 'user',
    buckets: [],
  }),
  route('GET /oauth2/applications/{application_id}/usage', oauth2.getUsage, {
    access: 'user',
    buckets: [],
  }),
  route('PATCH /oauth2/applications/{application_id}/bot', oauth2.updateBot, {
    access: 'user',
    buckets: ['oauth_dev:clients:update'],
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'bot',
  }),
  route('GET /oauth2/applications/{application_id}/bot/presence', oauth2.getBotPresence, {
    access: 'user',
    buckets: [],
  }),
  route('POST /oauth2/applications/{application_id}/bot/reset-token', auth.resetBotToken, {
    access: 'user',
    buckets: ['oauth_dev:clients:rotate_secret'],
    member_buckets: SUDO_BUCKETS,
    body: 'optional_json',
    body_limit_bytes: AUTH_BODY_BYTES,
  }),
  route('GET /applications/@me', oauth2.getBotApplication, {
    access: 'bot',
    buckets: ['oauth_dev:clients:list'],
    answer: 'application',
  }),
  route('GET /gateway', auth.getGateway, { access: 'public', buckets: [] }),
  route('GET /gateway/bot', auth.getBotGateway, { access: 'bot', buckets: ['gateway:bot_info'] }),
  route('GET /oauth2/authorize', oauth2.authorize, {
    access: 'public',
    buckets: ['oauth:authorize'],
    raw_query: 'query',
    // A browser cannot send a header with a navigation.
    cookie: 'identifies',
    reply: ({ location }) => ({ status: 302, headers: { location } }),
  }),
  route('POST /oauth2/authorize/consent', oauth2.grantConsent, {
    access: 'user',
    buckets: ['oauth:authorize'],
    headers: REASON_HEADER,
    body: 'json',
    body_limit_bytes: 64 * KiB,
  }),
  route('POST /oauth2/authorize/refuse', oauth2.refuseConsent, {
    access: 'user',
    buckets: ['oauth:authorize'],
    body: 'json',
    body_limit_bytes: 64 * KiB,
  }),
  route('POST /oauth2/token', oauth2.exchangeToken, {
    access: 'public',
    buckets: ['oauth:token'],
    ...FORM,
  }),
  route('POST /oauth2/introspect', oauth2.introspectToken, {
    access: 'public',
    buckets: [['oauth:introspect', 'ip']],
    ...FORM,
  }),
  route('POST /oauth2/token/revoke', oauth2.revokeToken, {
    access: 'public',
    buckets: [['oauth:introspect', 'ip']],
    ...FORM,
    reply: () => ({ status: 200, content_type: 'application/json', body: '' }),
  }),
  route('GET /oauth2/userinfo', oauth2.getUserInfo, {
    // The RPC itself decides about credentials of every kind.
    access: 'public',
    buckets: [['oauth:introspect', 'client']],
  }),
  route('GET /oauth2/@me', oauth2.getCurrentAuthorization, { access: 'public', buckets: [] }),
  route('GET /oauth2/@me/authorizations', oauth2.listAuthorizations, {
    access: 'user',
    buckets: ['oauth_dev:clients:list'],
    answer: 'authorizations',
  }),
  route('DELETE /oauth2/@me/authorizations/{application_id}', oauth2.deleteAuthorization, {
    access: 'user',
    buckets: [['oauth:introspect', 'account']],
    status: 204,
  }),
  route('POST /oauth2/@me/authorizations/revoke', oauth2.revokeAuthorizations, {
    access: 'user',
    buckets: [['oauth:introspect', 'account']],
    body: 'json',
    status: 204,
  }),
];
