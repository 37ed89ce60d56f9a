import { route } from '../route.ts';
import { auth } from '../service-definitions.ts';
import { PICTURES_BODY_BYTES } from './pictures.ts';
import { AUTH_BODY_BYTES, SUDO_BUCKETS } from './sudo.ts';

const body_limit_bytes = AUTH_BODY_BYTES;

/** Accounts and their security (docs/credentials.md#accounts). */
export const userRoutes = [
  route('GET /users/@me', auth.getCurrentUser, {
    access: 'user_or_bot',
    scope: 'identify',
    buckets: ['user:settings:get'],
    answer: 'user',
  }),
  route('PATCH /users/@me', auth.updateCurrentUser, {
    access: 'user',
    buckets: ['user:update'],
    member_buckets: {
      ...SUDO_BUCKETS,
      username: ['username_change'],
      email: ['user:email_change:start', 'email_change:orig'],
      new_password: ['user:password_change:start', 'auth:pwdchg_start'],
    },
    changed_members: ['username', 'email'],
    body: 'json',
    body_limit_bytes: PICTURES_BODY_BYTES,
    answer: 'user',
  }),
  route('GET /users/@me/sign-ins', auth.listSignIns, {
    access: 'user',
    buckets: [],
    query: ['before', 'limit'],
    answer: 'sign_ins',
  }),
  route('POST /users/@me/export', auth.startDataExport, {
    access: 'user',
    buckets: [],
    member_buckets: SUDO_BUCKETS,
    body: 'optional_json',
    body_limit_bytes,
    answer: 'export',
  }),
  route('GET /users/@me/export', auth.getDataExport, { access: 'user', buckets: [], answer: 'export' }),
  route('GET /users/@me/export/file', auth.readDataExport, {
    access: 'user',
    buckets: [],
    query: ['part'],
    reply: ({ bytes }) => ({
      status: 200,
      headers: { 'content-disposition': 'attachment; filename="account.zip"' },
      content_type: 'application/zip',
      body: bytes,
    }),
  }),
  route('GET /users/@me/connections', auth.listConnections, {
    access: 'user',
    scope: 'connections',
    buckets: ['connection:list'],
    answer: 'connections',
  }),
  route('POST /users/@me/delete', auth.deleteCurrentUser, {
    access: 'user',
    buckets: ['user:account:delete'],
    member_buckets: SUDO_BUCKETS,
    body: 'optional_json',
    body_limit_bytes,
    status: 204,
  }),
  route('GET /users/@me/sudo/mfa-methods', auth.getSudoMethods, {
    access: 'user',
    buckets: ['sudo:mfa:methods'],
  }),
  route('POST /users/@me/sudo/webauthn/authentication-options', auth.getSudoWebauthnOptions, {
    access: 'user',
    buckets: ['sudo:webauthn:options'],
    answer: 'options',
  }),
  route('POST /users/@me/mfa/totp/enable', auth.enableTotp, {
    access: 'user',
    buckets: ['user:mfa:totp:enable'],
    member_buckets: SUDO_BUCKETS,
    body: 'json',
    body_limit_bytes,
  }),
  route('POST /users/@me/mfa/totp/disable', auth.disableTotp, {
    access: 'user',
    buckets: ['user:mfa:totp:disable'],
    // The code is the proof.
    member_buckets: { code: SUDO_BUCKETS.mfa_code },
    body: 'optional_json',
    body_limit_bytes,
    status: 204,
  }),
  route('POST /users/@me/mfa/backup-codes', auth.listBackupCodes, {
    access: 'user',
    buckets: ['user:mfa:backup_codes'],
    member_buckets: SUDO_BUCKETS,
    body: 'optional_json',
    body_limit_bytes,
  }),
  route('GET /users/@me/mfa/webauthn/credentials', auth.listWebauthnCredentials, {
    access: 'user',
    buckets: ['mfa:webauthn:list'],
    answer: 'credentials',
  }),
  route('POST /users/@me/mfa/webauthn/credentials', auth.createWebauthnCredential, {
    access: 'user',
    buckets: ['mfa:webauthn:register'],
    member_buckets: SUDO_BUCKETS,
    body: 'json',
    body_limit_bytes,
    answer: 'credential',
  }),
  route(
    'POST /users/@me/mfa/webauthn/credentials/registration-options',
    auth.getWebauthnRegistrationOptions,
    { access: 'user', buckets: ['mfa:webauthn:registration_options'], answer: 'options' },
  ),
  route('PATCH /users/@me/mfa/webauthn/credentials/{id}', auth.updateWebauthnCredential, {
    access: 'user',
    buckets: ['mfa:webauthn:update'],
    body: 'json',
    body_limit_bytes,
    answer: 'credential',
  }),
  route('DELETE /users/@me/mfa/webauthn/credentials/{id}', auth.deleteWebauthnCredential, {
    access: 'user',
    buckets: ['mfa:webauthn:delete'],
    member_buckets: SUDO_BUCKETS,
    body: 'optional_json',
    body_limit_bytes,
    status: 204,
  }),
  route('GET /users/{user_id}', auth.getUser, {
    access: 'user_or_bot',
    buckets: ['user:read'],
    answer: 'user',
  }),
];
