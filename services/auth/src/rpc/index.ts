import type { Handlers } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import { countLogins } from '../login/count-logins.ts';
import { mfaAttempts } from '../login/mfa-attempt.ts';
import { authorizeIp } from './authorize-ip.ts';
import { checkResetToken } from './check-reset-token.ts';
import { createBot } from './create-bot.ts';
import { createSudoGrant } from './create-sudo-grant.ts';
import { createWebauthnCredential } from './create-webauthn-credential.ts';
import { deleteBot } from './delete-bot.ts';
import { deleteCurrentUser } from './delete-current-user.ts';
import { deleteWebauthnCredential } from './delete-webauthn-credential.ts';
import { disableTotp } from './disable-totp.ts';
import { enableTotp } from './enable-totp.ts';
import { endSessions } from './end-sessions.ts';
import { forgotPassword } from './forgot-password.ts';
import { getBotGateway } from './get-bot-gateway.ts';
import { getCurrentUser } from './get-current-user.ts';
import { getGateway } from './get-gateway.ts';
import { getLoginWebauthnOptions } from './get-login-webauthn-options.ts';
import { getPasskeyLoginOptions } from './get-passkey-login-options.ts';
import { getSudoMethods } from './get-sudo-methods.ts';
import { getSudoWebauthnOptions } from './get-sudo-webauthn-options.ts';
import { getUser } from './get-user.ts';
import { getUsers } from './get-users.ts';
import { getWebauthnRegistrationOptions } from './get-webauthn-registration-options.ts';
import { identify } from './identify.ts';
import { listBackupCodes } from './list-backup-codes.ts';
import { listConnections } from './list-connections.ts';
import { listSecurityEvents } from './list-security-events.ts';
import { listSessions } from './list-sessions.ts';
import { listWebauthnCredentials } from './list-webauthn-credentials.ts';
import { login } from './login.ts';
import { loginMfaTotp } from './login-mfa-totp.ts';
import { loginMfaWebauthn } from './login-mfa-webauthn.ts';
import { loginPasskey } from './login-passkey.ts';
import { logout } from './logout.ts';
import { pollIpAuthorization } from './poll-ip-authorization.ts';
import { readEvents } from './read-events.ts';
import { reencrypt } from './reencrypt.ts';
import { register } from './register.ts';
import { resendIpAuthorization } from './resend-ip-authorization.ts';
import { resendVerification } from './resend-verification.ts';
import { resetBotToken } from './reset-bot-token.ts';
import { resetPassword } from './reset-password.ts';
import { updateBot } from './update-bot.ts';
import { updateCurrentUser } from './update-current-user.ts';
import { updateWebauthnCredential } from './update-webauthn-credential.ts';
import { verifyEmail } from './verify-email.ts';

export function authHandlers(deps: Deps): Handlers<typeof AuthServiceDefinition> {
  const { counts } = deps;
  // Shared by both kinds of factors, which have one limit of concurrency.
  const attempt = mfaAttempts(deps);
  return {
    register: countLogins(counts, 'registration', register(deps)),
    login: countLogins(counts, 'password', login(deps)),
    loginMfaTotp: countLogins(counts, 'totp', loginMfaTotp(deps, attempt)),
    getLoginWebauthnOptions: getLoginWebauthnOptions(deps),
    loginMfaWebauthn: countLogins(counts, 'passkey_second_factor', loginMfaWebauthn(deps, attempt)),
    getPasskeyLoginOptions: getPasskeyLoginOptions(deps),
    loginPasskey: countLogins(counts, 'passkey', loginPasskey(deps)),
    authorizeIp: authorizeIp(deps),
    resendIpAuthorization: resendIpAuthorization(deps),
    pollIpAuthorization: countLogins(counts, 'mail', pollIpAuthorization(deps)),
    forgotPassword: forgotPassword(deps),
    checkResetToken: checkResetToken(deps),
    resetPassword: countLogins(counts, 'password_reset', resetPassword(deps)),
    verifyEmail: verifyEmail(deps),
    resendVerification: resendVerification(deps),
    logout: logout(deps),
    listSessions: listSessions(deps),
    endSessions: endSessions(deps),
    createSudoGrant: createSudoGrant(deps),
    getSudoMethods: getSudoMethods(deps),
    getSudoWebauthnOptions: getSudoWebauthnOptions(deps),
    identify: identify(deps),
    getCurrentUser: getCurrentUser(deps),
    updateBot: updateBot(deps),
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
    resetBotToken: resetBotToken(deps),
    getBotGateway: getBotGateway(deps),
    getGateway: getGateway(deps),
    listConnections: listConnections(deps),
    listSecurityEvents: listSecurityEvents(deps),
    readEvents: readEvents(deps),
    reencrypt: reencrypt(deps),
  };
}
