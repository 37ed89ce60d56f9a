import type { Handlers } from '@gatehouse/kit/rpc';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { createApplication } from './create-application.ts';
import { getApplication } from './get-application.ts';
import { listApplications } from './list-applications.ts';

export const oauth2Handlers = (deps: Deps): Handlers<typeof Oauth2ServiceDefinition> => ({
  createApplication: createApplication(deps),
  listApplications: listApplications(deps),
  getApplication: getApplication(deps),
});
