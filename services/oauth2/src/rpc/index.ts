import type { Handlers } from '@gatehouse/kit/rpc';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { authorize } from './authorize.ts';
import { createApplication } from './create-application.ts';
import { deleteApplication } from './delete-application.ts';
import { deleteAuthorization } from './delete-authorization.ts';
import { endAccount } from './end-account.ts';
import { exchangeToken } from './exchange-token.ts';
import { getApplication } from './get-application.ts';
import { getBotApplication } from './get-bot-application.ts';
import { getCurrentAuthorization } from './get-current-authorization.ts';
import { getPublicApplication } from './get-public-application.ts';
import { getServerMetadata } from './get-server-metadata.ts';
import { getUserInfo } from './get-user-info.ts';
import { grantConsent } from './grant-consent.ts';
import { identify } from './identify.ts';
import { introspectToken } from './introspect-token.ts';
import { listApplications } from './list-applications.ts';
import { listAuthorizations } from './list-authorizations.ts';
import { refuseConsent } from './refuse-consent.ts';
import { resetClientSecret } from './reset-client-secret.ts';
import { revokeAuthorizations } from './revoke-authorizations.ts';
import { revokeToken } from './revoke-token.ts';
import { updateApplication } from './update-application.ts';
import { updateBot } from './update-bot.ts';

/** Every RPC of the service. */
export const oauth2Handlers = (deps: Deps): Handlers<typeof Oauth2ServiceDefinition> => ({
  authorize: authorize(deps),
  createApplication: createApplication(deps),
  deleteApplication: deleteApplication(deps),
  deleteAuthorization: deleteAuthorization(deps),
  endAccount: endAccount(deps),
  exchangeToken: exchangeToken(deps),
  getApplication: getApplication(deps),
  getBotApplication: getBotApplication(deps),
  getCurrentAuthorization: getCurrentAuthorization(deps),
  getPublicApplication: getPublicApplication(deps),
  getServerMetadata: getServerMetadata(deps),
  getUserInfo: getUserInfo(deps),
  grantConsent: grantConsent(deps),
  identify: identify(deps),
  introspectToken: introspectToken(deps),
  listApplications: listApplications(deps),
  listAuthorizations: listAuthorizations(deps),
  refuseConsent: refuseConsent(deps),
  resetClientSecret: resetClientSecret(deps),
  revokeAuthorizations: revokeAuthorizations(deps),
  revokeToken: revokeToken(deps),
  updateApplication: updateApplication(deps),
  updateBot: updateBot(deps),
});
