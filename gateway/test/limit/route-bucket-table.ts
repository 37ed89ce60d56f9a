const IP = 'ip:127.0.0.1';
const ACCOUNT = 'account:1001';
export const CLIENT = 'credential:1:9001';

/**
 * What a session's request to each route is charged: whether it counts against the global bucket, and which charges it
 * makes when each parameter of its path is 7 and its body names ann@example.com.
 */
export const EXPECTED: readonly [line: string, global: boolean, own: string[]][] = [
  [
    'POST /auth/register',
    true,
    [
      `auth:register ${IP}`,
      'registration:email ann@example.com',
      `registration:ip ${IP}`,
      'registration:subnet subnet:127.0.0.0/24',
    ],
  ],
  ['POST /auth/login', true, [`auth:login ${IP}`, 'auth:login:email ann@example.com', `login:ip ${IP}`]],
  ['POST /auth/login/mfa/totp', true, [`auth:login:mfa ${IP}`]],
  ['POST /auth/login/mfa/webauthn/authentication-options', true, [`auth:login:mfa ${IP}`]],
  ['POST /auth/login/mfa/webauthn', true, [`auth:login:mfa ${IP}`]],
  ['POST /auth/webauthn/authentication-options', true, [`auth:webauthn:options ${IP}`]],
  ['POST /auth/webauthn/authenticate', true, [`auth:webauthn:authenticate ${IP}`]],
  ['POST /auth/authorize-ip', true, [`auth:authorize_ip ${IP}`]],
  ['POST /auth/ip-authorization/resend', true, [`auth:ip_authorization_resend ${IP}`]],
  ['GET /auth/ip-authorization/poll', true, [`auth:ip_authorization_poll ${IP}`]],
  [
    'POST /auth/forgot',
    true,
    [`auth:forgot ${IP}`, `password_reset:ip ${IP}`, 'password_reset:email ann@example.com'],
  ],
  ['GET /auth/reset/{token}', true, [`auth:reset:validate ${IP}`]],
  ['POST /auth/reset', true, [`auth:reset ${IP}`]],
  ['POST /auth/verify', true, [`auth:verify ${IP}`]],
  [
    'POST /auth/verify/resend',
    true,
    // The account's address, not one of the body.
    [`auth:send-verification ${IP}`, 'auth:send-verification-email of@the.account'],
  ],
  ['GET /auth/sessions', true, [`auth:sessions ${ACCOUNT}`]],
  ['POST /auth/sessions/logout', true, [`auth:sessions:logout ${ACCOUNT}`]],
  ['POST /auth/sudo', true, [`auth:sudo ${IP}`]],
  ['PATCH /users/@me', true, [`user:update ${ACCOUNT}`]],
  ['POST /users/@me/delete', true, [`user:account:delete ${ACCOUNT}`]],
  ['GET /users/@me/sudo/mfa-methods', true, [`sudo:mfa:methods ${ACCOUNT}`]],
  ['POST /users/@me/sudo/webauthn/authentication-options', true, [`sudo:webauthn:options ${ACCOUNT}`]],
  ['POST /users/@me/mfa/totp/enable', true, [`user:mfa:totp:enable ${ACCOUNT}`]],
  ['POST /users/@me/mfa/totp/disable', true, [`user:mfa:totp:disable ${ACCOUNT}`]],
  ['POST /users/@me/mfa/backup-codes', true, [`user:mfa:backup_codes ${ACCOUNT}`]],
  ['GET /users/@me/mfa/webauthn/credentials', true, [`mfa:webauthn:list ${ACCOUNT}`]],
  ['POST /users/@me/mfa/webauthn/credentials', true, [`mfa:webauthn:register ${ACCOUNT}`]],
  [
    'POST /users/@me/mfa/webauthn/credentials/registration-options',
    true,
    [`mfa:webauthn:registration_options ${ACCOUNT}`],
  ],
  ['PATCH /users/@me/mfa/webauthn/credentials/{id}', true, [`mfa:webauthn:update ${ACCOUNT}`]],
  ['DELETE /users/@me/mfa/webauthn/credentials/{id}', true, [`mfa:webauthn:delete ${ACCOUNT}`]],
  ['GET /users/{user_id}', true, [`user:read ${CLIENT} user:7`]],
  [
    'POST /oauth2/applications/{application_id}/bot/reset-token',
    true,
    ['oauth_dev:clients:rotate_secret application:7'],
  ],
  ['GET /applications/@me', true, [`oauth_dev:clients:list ${ACCOUNT}`]],
  ['GET /gateway/bot', true, [`gateway:bot_info ${CLIENT}`]],
  ['POST /auth/logout', true, [`auth:logout ${CLIENT}`]],
  ['GET /users/@me', true, [`user:settings:get ${ACCOUNT}`]],
  ['POST /oauth2/applications', true, [`oauth_dev:clients:create ${ACCOUNT}`]],
  ['GET /oauth2/applications/@me', true, [`oauth_dev:clients:list ${ACCOUNT}`]],
  ['GET /oauth2/applications/{application_id}', true, [`oauth_dev:clients:list ${ACCOUNT}`]],
  ['POST /guilds', true, [`guild:create ${ACCOUNT}`]],
  ['GET /guilds/{guild_id}', true, [`guild:read ${ACCOUNT} guild:7`]],
  ['GET /guilds/{guild_id}/channels', true, [`guild:channels:list ${ACCOUNT} guild:7`]],
  ['GET /channels/{channel_id}', true, [`channel:read ${ACCOUNT} channel:7`]],
  ['POST /channels/{channel_id}/messages', true, [`channel:message:create ${ACCOUNT} channel:7`]],
  ['GET /channels/{channel_id}/messages', true, [`channel:messages:read ${ACCOUNT} channel:7`]],
  ['GET /channels/{channel_id}/messages/{message_id}', true, [`channel:message:read ${ACCOUNT} channel:7`]],
  ['POST /channels/{channel_id}/webhooks', true, ['webhook:create channel:7']],
  ['GET /webhooks/{webhook_id}/{token}', true, ['webhook:read webhook:7']],
  ['POST /webhooks/{webhook_id}/{token}', false, ['webhook:execute webhook:7']],
  ['POST /webhooks/{webhook_id}/{token}/chatcompat', false, ['webhook:execute webhook:7']],
  ['POST /webhooks/{webhook_id}/{token}/codehost', false, ['webhook:codehost webhook:7']],
  ['GET /webhooks/{webhook_id}/{token}/messages/{message_id}', false, ['webhook:message_get webhook:7']],
];
