import type { Handlers } from '@gatehouse/kit/rpc';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { authorize } from './authorize.ts';
import { createApplication } from './create-application.ts';
import { deleteApplication } from './delete-application.ts';
import { endAccount } from './end-account.ts';
import { exchangeToken } from './exchange-token.ts';
import { getApplication } from './get-application.ts';
import { getBotApplication } from './get-bot-application.ts';
import { getPublicApplication } from './get-public-application.ts';
import { grantConsent } from './grant-consent.ts';
import { identify } from './identify.ts';
import { introspectToken } from './introspect-token.ts';
import { listApplications } from './list-applications.ts';
import { refuseConsent } from './refuse-consent.ts';
import { resetClientSecret } from './reset-client-secret.ts';
import { revokeToken } from './revoke-token.ts';
import { updateApplication } from './update-application.ts';
import { updateBot } from './update-bot.ts';

/** Every RPC of the service. */
export const oauth2Handlers = (deps: Deps): Handlers<typeof Oauth2ServiceDefinition> =>
  othersUnimplemented({
    authorize: authorize(deps),
    createApplication: createApplication(deps),
    deleteApplication: deleteApplication(deps),
    endAccount: endAccount(deps),
    exchangeToken: exchangeToken(deps),
    getApplication: getApplication(deps),
    getBotApplication: getBotApplication(deps),
    getPublicApplication: getPublicApplication(deps),
    grantConsent: grantConsent(deps),
    identify: identify(deps),
    introspectToken: introspectToken(deps),
    listApplications: listApplications(deps),
    refuseConsent: refuseConsent(deps),
    resetClientSecret: resetClientSecret(deps),
    revokeToken: revokeToken(deps),
    updateApplication: updateApplication(deps),
    updateBot: updateBot(deps),
  });

function othersUnimplemented(
  handlers: Partial<Handlers<typeof Oauth2ServiceDefinition>>,
): Handlers<typeof Oauth2ServiceDefinition> {
  const absent = () => {
    throw new Error('not implemented');
  };
  return new Proxy(handlers, {
    get: (target, name) => Reflect.get(target, name) ?? absent,
  }) as Handlers<typeof Oauth2ServiceDefinition>;
}
