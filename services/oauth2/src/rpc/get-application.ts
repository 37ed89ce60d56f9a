import type { Handler } from '@gatehouse/kit/rpc';
import type { GetApplicationRequest, GetApplicationResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { findUsers } from '../users.ts';

export function getApplication({
  prisma,
  auth,
}: Deps): Handler<GetApplicationRequest, GetApplicationResponse> {
  return async ({ application_id }, call) => {
    const application = await requireOwnedApplication(prisma, application_id, call);
    const bots = await findUsers(auth, [application.id], call);
    return { application: ownedApplication(application, bots.get(application.id)) };
  };
}
