import type { Handlers } from '@gatehouse/kit/rpc';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { createApplication } from './create-application.ts';
import { endAccount } from './end-account.ts';
import { getApplication } from './get-application.ts';
import { getBotApplication } from './get-bot-application.ts';
import { identify } from './identify.ts';
import { listApplications } from './list-applications.ts';

export const oauth2Handlers = (deps: Deps): Handlers<typeof Oauth2ServiceDefinition> => ({
  createApplication: createApplication(deps),
  listApplications: listApplications(deps),
  getApplication: getApplication(deps),
  getBotApplication: getBotApplication(deps),
  identify: identify(deps),
  endAccount: endAccount(deps),
});
