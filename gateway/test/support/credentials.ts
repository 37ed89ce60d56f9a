import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import type { Handlers } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { SERVICES, type Services } from '../../src/service-definitions.ts';
import { application, botApplication, currentUser, options, passkey, session, user } from './samples.ts';

/** The credentials that the peers know. */
export const SESSION = `gth_${'Ses5'.repeat(9)}`;
export const SECOND_SESSION = `gth_${'Sec0'.repeat(9)}`;
export const BOT = '2001.bot-secret';
/** With every scope that opens an operation. It begins as a session token does. */
export const ACCESS_TOKEN = `gth_${'aC-_'.repeat(9)}all`;
export const WITHOUT_SCOPES = `${'nO-_'.repeat(10)}non`;

const SESSIONS: Readonly<Record<string, { kind: CallerKind; account_id: string; credential_id: string }>> = {
  [SESSION]: { kind: CallerKind.CALLER_KIND_SESSION, account_id: '1001', credential_id: '9001' },
  [SECOND_SESSION]: { kind: CallerKind.CALLER_KIND_SESSION, account_id: '1001', credential_id: '9002' },
  [BOT]: { kind: CallerKind.CALLER_KIND_BOT, account_id: '2001', credential_id: '9003' },
};

const ACCESS_TOKENS: Readonly<Record<string, string[]>> = {
  [ACCESS_TOKEN]: ['connections', 'guilds', 'identify'],
  [WITHOUT_SCOPES]: [],
};

const backup_codes = [{ code: 'aaaa-bbbb', consumed: false }];

/** How auth answers unless a test says otherwise. */
export const authPeer: Handlers<Services['auth']> = someHandlers(SERVICES.auth, {
  identify: ({ kind, token }) => {
    const known = SESSIONS[token];
    if (known?.kind !== kind) return { identity: null };
    const { account_id, credential_id } = known;
    return { identity: { account_id, credential_id } };
  },
  register: () => session,
  login: () => ({ ...session, mfa: null, ticket: null, allowed_methods: [] }),
  loginMfaTotp: () => session,
  getLoginWebauthnOptions: () => ({ options }),
  loginMfaWebauthn: () => session,
  getPasskeyLoginOptions: () => ({ options }),
  loginPasskey: () => session,
  authorizeIp: () => ({}),
  resendIpAuthorization: () => ({}),
  pollIpAuthorization: () => ({ completed: false, token: null, user_id: null, user: null }),
  forgotPassword: () => ({}),
  checkResetToken: () => ({ valid: true }),
  resetPassword: () => ({ ...session, mfa: null, ticket: null, allowed_methods: [] }),
  verifyEmail: () => ({}),
  resendVerification: () => ({}),
  logout: () => ({}),
  listSessions: () => ({
    sessions: [
      {
        id_hash: 'aGFzaA',
        client_info: { os: 'Linux', browser: null },
        masked_ip: '192.0.*.*',
        approx_last_used_at: '2026-01-02T03:04:05.678Z',
        current: true,
      },
    ],
  }),
  endSessions: () => ({}),
  createSudoGrant: () => ({ expires_at: '2026-01-02T03:04:05.678Z' }),
  getSudoMethods: () => ({ password: true, totp: false, webauthn: false, has_mfa: false }),
  getSudoWebauthnOptions: () => ({ options }),
  getCurrentUser: () => ({ user: currentUser }),
  updateCurrentUser: () => ({ user: currentUser }),
  deleteCurrentUser: () => ({}),
  enableTotp: () => ({ backup_codes }),
  disableTotp: () => ({}),
  listBackupCodes: () => ({ backup_codes }),
  listWebauthnCredentials: () => ({ credentials: [passkey] }),
  getWebauthnRegistrationOptions: () => ({ options }),
  createWebauthnCredential: () => ({ credential: passkey }),
  updateWebauthnCredential: () => ({ credential: passkey }),
  deleteWebauthnCredential: () => ({}),
  getUser: () => ({ user }),
  resetBotToken: () => ({ token: BOT, bot: user }),
  getBotGateway: () => ({
    url: 'ws://127.0.0.1:8080/gateway',
    shards: 1,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
  }),
});

/** How oauth2 does. */
export const oauth2Peer: Handlers<Services['oauth2']> = someHandlers(SERVICES.oauth2, {
  identify: ({ token }) => {
    const scopes = ACCESS_TOKENS[token];
    if (scopes === undefined) return { identity: null };
    return { identity: { account_id: '1001', credential_id: '9004', application_id: '51', scopes } };
  },
  createApplication: () => ({ application }),
  listApplications: () => ({ applications: [application] }),
  getApplication: () => ({ application }),
  getBotApplication: () => ({ application: botApplication }),
});
