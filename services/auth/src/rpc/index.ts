import type { Handlers } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { AuthAdminServiceDefinition } from '@gatehouse/proto/auth-admin';
import type { Deps } from '../deps.ts';
import { countLogins, sessionOrTicket, sessionOrWait } from '../login/count-logins.ts';
import { MfaLogins } from '../login/mfa-logins.ts';
import { deleteCurrentUser } from './accounts/delete-current-user.ts';
import { getCurrentUser } from './accounts/get-current-user.ts';
import { getUser } from './accounts/get-user.ts';
import { getUsers } from './accounts/get-users.ts';
import { listConnections } from './accounts/list-connections.ts';
import { listSecurityEvents } from './accounts/list-security-events.ts';
import { register } from './accounts/register.ts';
import { resendVerification } from './accounts/resend-verification.ts';
import { updateCurrentUser } from './accounts/update-current-user.ts';
import { verifyEmail } from './accounts/verify-email.ts';
import { endAccountSessions } from './admin/end-account-sessions.ts';
import { findAccounts } from './admin/find-accounts.ts';
import { findCredential } from './admin/find-credential.ts';
import { getAccount } from './admin/get-account.ts';
import { resetFactors } from './admin/reset-factors.ts';
import { restoreAccount } from './admin/restore-account.ts';
import { suspendAccount } from './admin/suspend-account.ts';
import { createBot } from './bots/create-bot.ts';
import { deleteBot } from './bots/delete-bot.ts';
import { getBotGateway } from './bots/get-bot-gateway.ts';
import { getGateway } from './bots/get-gateway.ts';
import { resetBotToken } from './bots/reset-bot-token.ts';
import { setBotDisabled } from './bots/set-bot-disabled.ts';
import { updateBot } from './bots/update-bot.ts';
import { getDataExport } from './data-export/get-data-export.ts';
import { readDataExport } from './data-export/read-data-export.ts';
import { startDataExport } from './data-export/start-data-export.ts';
import { reencrypt } from './encryption/reencrypt.ts';
import { readEvents } from './events/read-events.ts';
import { authorizeIp } from './login/authorize-ip.ts';
import { getLoginWebauthnOptions } from './login/get-login-webauthn-options.ts';
import { getPasskeyLoginOptions } from './login/get-passkey-login-options.ts';
import { login } from './login/login.ts';
import { loginMfaTotp } from './login/login-mfa-totp.ts';
import { loginMfaWebauthn } from './login/login-mfa-webauthn.ts';
import { loginPasskey } from './login/login-passkey.ts';
import { pollIpAuthorization } from './login/poll-ip-authorization.ts';
import { resendIpAuthorization } from './login/resend-ip-authorization.ts';
import { disableTotp } from './mfa/disable-totp.ts';
import { enableTotp } from './mfa/enable-totp.ts';
import { listBackupCodes } from './mfa/list-backup-codes.ts';
import { createWebauthnCredential } from './passkeys/create-webauthn-credential.ts';
import { deleteWebauthnCredential } from './passkeys/delete-webauthn-credential.ts';
import { getWebauthnRegistrationOptions } from './passkeys/get-webauthn-registration-options.ts';
import { listWebauthnCredentials } from './passkeys/list-webauthn-credentials.ts';
import { updateWebauthnCredential } from './passkeys/update-webauthn-credential.ts';
import { checkResetToken } from './passwords/check-reset-token.ts';
import { forgotPassword } from './passwords/forgot-password.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { createBrowserSession } from './sessions/create-browser-session.ts';
import { endBrowserSession } from './sessions/end-browser-session.ts';
import { endSessions } from './sessions/end-sessions.ts';
import { identify } from './sessions/identify.ts';
import { identifyBrowserSession } from './sessions/identify-browser-session.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { listSignIns } from './sessions/list-sign-ins.ts';
import { logout } from './sessions/logout.ts';
import { resumeBrowserSession } from './sessions/resume-browser-session.ts';
import { createSudoGrant } from './sudo/create-sudo-grant.ts';
import { getSudoMethods } from './sudo/get-sudo-methods.ts';
import { getSudoWebauthnOptions } from './sudo/get-sudo-webauthn-options.ts';

export function authHandlers(deps: Deps): Handlers<typeof AuthServiceDefinition> {
  const { counts } = deps;
  // Both kinds of factors share the concurrency limit.
  const mfaLogins = new MfaLogins(deps);
  return {
    register: countLogins(counts, 'registration', register(deps)),
    login: countLogins(counts, 'password', login(deps), sessionOrTicket),
    loginMfaTotp: countLogins(counts, 'totp', loginMfaTotp(deps, mfaLogins)),
    getLoginWebauthnOptions: getLoginWebauthnOptions(deps),
    loginMfaWebauthn: countLogins(counts, 'passkey_second_factor', loginMfaWebauthn(deps, mfaLogins)),
    getPasskeyLoginOptions: getPasskeyLoginOptions(deps),
    loginPasskey: countLogins(counts, 'passkey', loginPasskey(deps)),
    authorizeIp: authorizeIp(deps),
    resendIpAuthorization: resendIpAuthorization(deps),
    pollIpAuthorization: countLogins(counts, 'mail', pollIpAuthorization(deps), sessionOrWait),
    forgotPassword: forgotPassword(deps),
    checkResetToken: checkResetToken(deps),
    resetPassword: countLogins(counts, 'password_reset', resetPassword(deps), sessionOrTicket),
    verifyEmail: verifyEmail(deps),
    resendVerification: resendVerification(deps),
    logout: logout(deps),
    createBrowserSession: createBrowserSession(deps),
    endBrowserSession: endBrowserSession(deps),
    resumeBrowserSession: resumeBrowserSession(deps),
    identifyBrowserSession: identifyBrowserSession(deps),
    listSessions: listSessions(deps),
    listSignIns: listSignIns(deps),
    endSessions: endSessions(deps),
    createSudoGrant: createSudoGrant(deps),
    getSudoMethods: getSudoMethods(deps),
    getSudoWebauthnOptions: getSudoWebauthnOptions(deps),
    identify: identify(deps),
    getCurrentUser: getCurrentUser(deps),
    updateBot: updateBot(deps),
    startDataExport: startDataExport(deps),
    getDataExport: getDataExport(deps),
    readDataExport: readDataExport(deps),
    updateCurrentUser: updateCurrentUser(deps),
    deleteCurrentUser: deleteCurrentUser(deps),
    enableTotp: enableTotp(deps),
    disableTotp: disableTotp(deps),
    listBackupCodes: listBackupCodes(deps),
    listWebauthnCredentials: listWebauthnCredentials(deps),
    getWebauthnRegistrationOptions: getWebauthnRegistrationOptions(deps),
    createWebauthnCredential: createWebauthnCredential(deps),
    updateWebauthnCredential: updateWebauthnCredential(deps),
    deleteWebauthnCredential: deleteWebauthnCredential(deps),
    getUser: getUser(deps),
    getUsers: getUsers(deps),
    createBot: createBot(deps),
    deleteBot: deleteBot(deps),
    setBotDisabled: setBotDisabled(deps),
    resetBotToken: resetBotToken(deps),
    getBotGateway: getBotGateway(deps),
    getGateway: getGateway(deps),
    listConnections: listConnections(deps),
    listSecurityEvents: listSecurityEvents(deps),
    readEvents: readEvents(deps),
    reencrypt: reencrypt(deps),
  };
}

export function authAdminHandlers(deps: Deps): Handlers<typeof AuthAdminServiceDefinition> {
  return {
    findAccounts: findAccounts(deps),
    getAccount: getAccount(deps),
    findCredential: findCredential(deps),
    suspendAccount: suspendAccount(deps),
    restoreAccount: restoreAccount(deps),
    endAccountSessions: endAccountSessions(deps),
    resetFactors: resetFactors(deps),
  };
}
