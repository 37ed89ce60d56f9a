import type { Handlers } from '@gatehouse/kit/rpc';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { Oauth2AdminServiceDefinition } from '@gatehouse/proto/oauth2-admin';
import type { Deps } from '../deps.ts';
import { countClientRequests } from '../usage/count-client-requests.ts';
import { disableApplication } from './admin/disable-application.ts';
import { enableApplication } from './admin/enable-application.ts';
import { findApplications } from './admin/find-applications.ts';
import { findToken } from './admin/find-token.ts';
import { getAdminApplication } from './admin/get-admin-application.ts';
import { listAccountGrants } from './admin/list-account-grants.ts';
import { listBusyApplications } from './admin/list-busy-applications.ts';
import { revokeAccountGrants } from './admin/revoke-account-grants.ts';
import { authorize } from './authorize.ts';
import { createApplication } from './create-application.ts';
import { createClientSecret } from './create-client-secret.ts';
import { deleteApplication } from './delete-application.ts';
import { deleteAuthorization } from './delete-authorization.ts';
import { deleteClientSecret } from './delete-client-secret.ts';
import { endAccount } from './end-account.ts';
import { exchangeToken } from './exchange-token.ts';
import { exportAccount } from './export-account.ts';
import { getApplication } from './get-application.ts';
import { getApplicationName } from './get-application-name.ts';
import { getBotApplication } from './get-bot-application.ts';
import { getBotPresence } from './get-bot-presence.ts';
import { getCurrentAuthorization } from './get-current-authorization.ts';
import { getInstallations } from './get-installations.ts';
import { getPublicApplication } from './get-public-application.ts';
import { getServerMetadata } from './get-server-metadata.ts';
import { getUsage } from './get-usage.ts';
import { getUserInfo } from './get-user-info.ts';
import { grantConsent } from './grant-consent.ts';
import { identify } from './identify.ts';
import { introspectToken } from './introspect-token.ts';
import { listApplications } from './list-applications.ts';
import { listAuthorizations } from './list-authorizations.ts';
import { listClientSecrets } from './list-client-secrets.ts';
import { refuseConsent } from './refuse-consent.ts';
import { reportUsage } from './report-usage.ts';
import { resetClientSecret } from './reset-client-secret.ts';
import { revokeAuthorizations } from './revoke-authorizations.ts';
import { revokeToken } from './revoke-token.ts';
import { setAccountSuspended } from './set-account-suspended.ts';
import { updateApplication } from './update-application.ts';
import { updateBot } from './update-bot.ts';

/** Every RPC for the edge and for other services. */
export const oauth2Handlers = (deps: Deps): Handlers<typeof Oauth2ServiceDefinition> => ({
  authorize: authorize(deps),
  createApplication: createApplication(deps),
  createClientSecret: createClientSecret(deps),
  deleteApplication: deleteApplication(deps),
  deleteAuthorization: deleteAuthorization(deps),
  deleteClientSecret: deleteClientSecret(deps),
  endAccount: endAccount(deps),
  exportAccount: exportAccount(deps),
  exchangeToken: countClientRequests(deps, { path: '/oauth2/token', bucket: 'oauth:token' }, exchangeToken),
  getApplication: getApplication(deps),
  getApplicationName: getApplicationName(deps),
  getBotApplication: getBotApplication(deps),
  getBotPresence: getBotPresence(deps),
  getCurrentAuthorization: getCurrentAuthorization(deps),
  getInstallations: getInstallations(deps),
  getPublicApplication: getPublicApplication(deps),
  getServerMetadata: getServerMetadata(deps),
  getUsage: getUsage(deps),
  getUserInfo: getUserInfo(deps),
  grantConsent: grantConsent(deps),
  identify: identify(deps),
  introspectToken: countClientRequests(
    deps,
    { path: '/oauth2/introspect', bucket: 'oauth:introspect' },
    introspectToken,
  ),
  listApplications: listApplications(deps),
  listAuthorizations: listAuthorizations(deps),
  listClientSecrets: listClientSecrets(deps),
  refuseConsent: refuseConsent(deps),
  reportUsage: reportUsage(deps),
  resetClientSecret: resetClientSecret(deps),
  revokeAuthorizations: revokeAuthorizations(deps),
  revokeToken: countClientRequests(
    deps,
    { path: '/oauth2/token/revoke', bucket: 'oauth:introspect' },
    revokeToken,
  ),
  setAccountSuspended: setAccountSuspended(deps),
  updateApplication: updateApplication(deps),
  updateBot: updateBot(deps),
});

/** Every RPC for operators. */
export const oauth2AdminHandlers = (deps: Deps): Handlers<typeof Oauth2AdminServiceDefinition> => ({
  disableApplication: disableApplication(deps),
  enableApplication: enableApplication(deps),
  findApplications: findApplications(deps),
  findToken: findToken(deps),
  getAdminApplication: getAdminApplication(deps),
  listAccountGrants: listAccountGrants(deps),
  listBusyApplications: listBusyApplications(deps),
  revokeAccountGrants: revokeAccountGrants(deps),
});
