import { route } from '../route.ts';
import { auth } from '../service-definitions.ts';
import { AUTH_BODY_BYTES, SUDO_BUCKETS } from './sudo.ts';

const body_limit_bytes = AUTH_BODY_BYTES;

/** Sessions: beginning and ending them (docs/credentials.md#accounts). */
export const authRoutes = [
  route('POST /auth/register', auth.register, {
    access: 'public',
    buckets: ['auth:register', 'registration:email', 'registration:ip', 'registration:subnet'],
    body: 'json',
    body_limit_bytes,
  }),
  route('POST /auth/login', auth.login, {
    access: 'public',
    buckets: ['auth:login', 'auth:login:email', 'login:ip'],
    body: 'json',
    body_limit_bytes,
  }),
  route('POST /auth/login/mfa/totp', auth.loginMfaTotp, {
    access: 'public',
    buckets: ['auth:login:mfa'],
    body: 'json',
    body_limit_bytes,
  }),
  route('POST /auth/login/mfa/webauthn/authentication-options', auth.getLoginWebauthnOptions, {
    access: 'public',
    buckets: ['auth:login:mfa'],
    body: 'json',
    body_limit_bytes,
    answer: 'options',
  }),
  route('POST /auth/login/mfa/webauthn', auth.loginMfaWebauthn, {
    access: 'public',
    buckets: ['auth:login:mfa'],
    body: 'json',
    body_limit_bytes,
  }),
  route('POST /auth/webauthn/authentication-options', auth.getPasskeyLoginOptions, {
    access: 'public',
    buckets: ['auth:webauthn:options'],
    answer: 'options',
  }),
  route('POST /auth/webauthn/authenticate', auth.loginPasskey, {
    access: 'public',
    buckets: ['auth:webauthn:authenticate'],
    body: 'json',
    body_limit_bytes,
  }),
  route('POST /auth/authorize-ip', auth.authorizeIp, {
    access: 'public',
    buckets: ['auth:authorize_ip'],
    body: 'json',
    body_limit_bytes,
    status: 204,
  }),
  route('POST /auth/ip-authorization/resend', auth.resendIpAuthorization, {
    access: 'public',
    buckets: ['auth:ip_authorization_resend'],
    body: 'json',
    body_limit_bytes,
    status: 204,
  }),
  route('GET /auth/ip-authorization/poll', auth.pollIpAuthorization, {
    access: 'public',
    buckets: ['auth:ip_authorization_poll'],
    query: ['ticket'],
  }),
  route('POST /auth/forgot', auth.forgotPassword, {
    access: 'public',
    buckets: ['auth:forgot', 'password_reset:ip', 'password_reset:email'],
    body: 'json',
    body_limit_bytes,
    status: 204,
  }),
  route('GET /auth/reset/{token}', auth.checkResetToken, {
    access: 'public',
    buckets: ['auth:reset:validate'],
  }),
  route('POST /auth/reset', auth.resetPassword, {
    access: 'public',
    buckets: ['auth:reset'],
    body: 'json',
    body_limit_bytes,
  }),
  route('POST /auth/verify', auth.verifyEmail, {
    access: 'public',
    buckets: ['auth:verify'],
    body: 'json',
    body_limit_bytes,
    status: 204,
  }),
  route('POST /auth/verify/resend', auth.resendVerification, {
    access: 'user',
    buckets: ['auth:send-verification', 'auth:send-verification-email'],
    email_of: 'account',
    status: 204,
  }),
  route('POST /auth/logout', auth.logout, { access: 'user', buckets: ['auth:logout'], status: 204 }),
  route('POST /auth/browser-session', auth.createBrowserSession, {
    access: 'user',
    buckets: [],
    token: 'token',
    cookie: 'sets',
    body: 'optional_json',
    body_limit_bytes,
    status: 204,
  }),
  route('DELETE /auth/browser-session', auth.endBrowserSession, {
    // The cookie of a browser whose session has ended is cleared too.
    access: 'public',
    buckets: [],
    cookie: 'clears',
    status: 204,
  }),
  route('POST /auth/browser-session/resume', auth.resumeBrowserSession, {
    access: 'public',
    buckets: [],
    cookie: 'resumes',
    answer: 'session',
  }),
  route('GET /auth/sessions', auth.listSessions, {
    access: 'user',
    buckets: ['auth:sessions'],
    answer: 'sessions',
  }),
  route('POST /auth/sessions/logout', auth.endSessions, {
    access: 'user',
    buckets: ['auth:sessions:logout'],
    body: 'json',
    body_limit_bytes,
    status: 204,
  }),
  route('POST /auth/sudo', auth.createSudoGrant, {
    access: 'user',
    buckets: ['auth:sudo'],
    member_buckets: SUDO_BUCKETS,
    body: 'optional_json',
    body_limit_bytes,
  }),
];
