const IP = 'ip:127.0.0.1';
const ACCOUNT = 'account:1001';
export const CLIENT = 'credential:1:9001';
const MFA = 'finish login by TOTP, backup code, SMS or WebAuthn';

/**
 * The routes that are held to the published tables: what the tables beside the clone call each, whether a session's
 * request counts against the global bucket, and what it is charged when each parameter of its path is 7 and its body
 * names ann@example.com.
 */
export const EXPECTED: readonly [line: string, operation: string, global: boolean, own: string[]][] = [
  [
    'POST /auth/register',
    'register',
    true,
    [
      `auth:register ${IP}`,
      'registration:email ann@example.com',
      `registration:ip ${IP}`,
      'registration:subnet subnet:127.0.0.0/24',
    ],
  ],
  [
    'POST /auth/login',
    'log in',
    true,
    [`auth:login ${IP}`, 'auth:login:email ann@example.com', `login:ip ${IP}`],
  ],
  ['POST /auth/login/mfa/totp', MFA, true, [`auth:login:mfa ${IP}`]],
  [
    'POST /auth/login/mfa/webauthn/authentication-options',
    'fetch WebAuthn MFA options',
    true,
    [`auth:login:mfa ${IP}`],
  ],
  ['POST /auth/login/mfa/webauthn', MFA, true, [`auth:login:mfa ${IP}`]],
  [
    'POST /auth/webauthn/authentication-options',
    'passkey login options',
    true,
    [`auth:webauthn:options ${IP}`],
  ],
  ['POST /auth/webauthn/authenticate', 'passkey login', true, [`auth:webauthn:authenticate ${IP}`]],
  ['POST /auth/authorize-ip', 'authorise a new login location', true, [`auth:authorize_ip ${IP}`]],
  [
    'POST /auth/ip-authorization/resend',
    'resend location authorisation email',
    true,
    [`auth:ip_authorization_resend ${IP}`],
  ],
  [
    'GET /auth/ip-authorization/poll',
    'poll location authorisation',
    true,
    [`auth:ip_authorization_poll ${IP}`],
  ],
  [
    'POST /auth/forgot',
    'request password recovery',
    true,
    [`auth:forgot ${IP}`, `password_reset:ip ${IP}`, 'password_reset:email ann@example.com'],
  ],
  ['GET /auth/reset/{token}', 'validate a reset token', true, [`auth:reset:validate ${IP}`]],
  ['POST /auth/reset', 'reset password', true, [`auth:reset ${IP}`]],
  ['POST /auth/verify', 'verify email address', true, [`auth:verify ${IP}`]],
  [
    'POST /auth/verify/resend',
    'send registration verification code',
    true,
    // The account's address, not one of the body.
    [`auth:send-verification ${IP}`, 'auth:send-verification-email of@the.account'],
  ],
  ['GET /auth/sessions', 'list sessions', true, [`auth:sessions ${ACCOUNT}`]],
  [
    'POST /auth/sessions/logout',
    'end one, several, other or all sessions',
    true,
    [`auth:sessions:logout ${ACCOUNT}`],
  ],
  ['POST /auth/sudo', 'create sudo grant', true, [`auth:sudo ${IP}`]],
  ['PATCH /users/@me', 'modify current user profile', true, [`user:update ${ACCOUNT}`]],
  ['POST /users/@me/delete', 'delete account', true, [`user:account:delete ${ACCOUNT}`]],
  ['GET /users/@me/sudo/mfa-methods', 'list sudo methods', true, [`sudo:mfa:methods ${ACCOUNT}`]],
  [
    'POST /users/@me/sudo/webauthn/authentication-options',
    'passkey sudo options',
    true,
    [`sudo:webauthn:options ${ACCOUNT}`],
  ],
  ['POST /users/@me/mfa/totp/enable', 'enable TOTP', true, [`user:mfa:totp:enable ${ACCOUNT}`]],
  ['POST /users/@me/mfa/totp/disable', 'disable TOTP', true, [`user:mfa:totp:disable ${ACCOUNT}`]],
  [
    'POST /users/@me/mfa/backup-codes',
    'list or regenerate backup codes',
    true,
    [`user:mfa:backup_codes ${ACCOUNT}`],
  ],
  [
    'GET /users/@me/mfa/webauthn/credentials',
    'list passkeys and WebAuthn credentials',
    true,
    [`mfa:webauthn:list ${ACCOUNT}`],
  ],
  [
    'POST /users/@me/mfa/webauthn/credentials',
    'register passkey',
    true,
    [`mfa:webauthn:register ${ACCOUNT}`],
  ],
  [
    'POST /users/@me/mfa/webauthn/credentials/registration-options',
    'passkey registration options',
    true,
    [`mfa:webauthn:registration_options ${ACCOUNT}`],
  ],
  [
    'PATCH /users/@me/mfa/webauthn/credentials/{id}',
    'rename passkey',
    true,
    [`mfa:webauthn:update ${ACCOUNT}`],
  ],
  [
    'DELETE /users/@me/mfa/webauthn/credentials/{id}',
    'delete passkey',
    true,
    [`mfa:webauthn:delete ${ACCOUNT}`],
  ],
  ['GET /users/{user_id}', 'get a user', true, [`user:read ${CLIENT} user:7`]],
  [
    'POST /oauth2/applications/{application_id}/bot/reset-token',
    'reset bot token',
    true,
    ['oauth_dev:clients:rotate_secret application:7'],
  ],
  ['GET /applications/@me', 'get application', true, [`oauth_dev:clients:list ${ACCOUNT}`]],
  ['GET /gateway/bot', 'Gateway information for a bot', true, [`gateway:bot_info ${CLIENT}`]],
  ['POST /auth/logout', 'log out', true, [`auth:logout ${CLIENT}`]],
  ['GET /users/@me', 'get current user', true, [`user:settings:get ${ACCOUNT}`]],
  ['POST /oauth2/applications', 'create application', true, [`oauth_dev:clients:create ${ACCOUNT}`]],
  ['GET /oauth2/applications/@me', 'list own applications', true, [`oauth_dev:clients:list ${ACCOUNT}`]],
  [
    'GET /oauth2/applications/{application_id}',
    'get application',
    true,
    [`oauth_dev:clients:list ${ACCOUNT}`],
  ],
  ['POST /guilds', 'create guild', true, [`guild:create ${ACCOUNT}`]],
  ['GET /guilds/{guild_id}', 'get guild', true, [`guild:read ${ACCOUNT} guild:7`]],
  [
    'GET /guilds/{guild_id}/channels',
    'list guild channels',
    true,
    [`guild:channels:list ${ACCOUNT} guild:7`],
  ],
  ['GET /channels/{channel_id}', 'get channel', true, [`channel:read ${ACCOUNT} channel:7`]],
  [
    'POST /channels/{channel_id}/messages',
    'create message',
    true,
    [`channel:message:create ${ACCOUNT} channel:7`],
  ],
  [
    'GET /channels/{channel_id}/messages',
    'list messages',
    true,
    [`channel:messages:read ${ACCOUNT} channel:7`],
  ],
  [
    'GET /channels/{channel_id}/messages/{message_id}',
    'get message',
    true,
    [`channel:message:read ${ACCOUNT} channel:7`],
  ],
  ['POST /channels/{channel_id}/webhooks', 'create webhook', true, ['webhook:create channel:7']],
  [
    'GET /webhooks/{webhook_id}/{token}',
    'get webhook, with or without token',
    true,
    ['webhook:read webhook:7'],
  ],
  ['POST /webhooks/{webhook_id}/{token}', 'execute', false, ['webhook:execute webhook:7']],
  [
    'POST /webhooks/{webhook_id}/{token}/chatcompat',
    'execute chat-tool-compatible',
    false,
    ['webhook:execute webhook:7'],
  ],
  [
    'POST /webhooks/{webhook_id}/{token}/codehost',
    'execute code-host-compatible',
    false,
    ['webhook:codehost webhook:7'],
  ],
  [
    'GET /webhooks/{webhook_id}/{token}/messages/{message_id}',
    'get webhook message',
    false,
    ['webhook:message_get webhook:7'],
  ],
];
