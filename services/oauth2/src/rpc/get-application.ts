import type { Handler } from '@gatehouse/kit/rpc';
import type { GetApplicationRequest, GetApplicationResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwned } from '../applications/require-owned.ts';
import type { Deps } from '../deps.ts';
import { findUsers } from '../users.ts';

export function getApplication({
  prisma,
  auth,
}: Deps): Handler<GetApplicationRequest, GetApplicationResponse> {
  return async ({ application_id }, call) => {
    const application = await requireOwned(prisma, application_id, call);
    const bots = await findUsers(auth, [application.id], call);
    return { application: ownedApplication(application, bots.get(application.id)) };
  };
}
