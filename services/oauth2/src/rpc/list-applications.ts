import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListApplicationsRequest, ListApplicationsResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import type { Deps } from '../deps.ts';
import { findApplicationsOf } from '../store/applications.ts';
import { findUsers } from '../users.ts';

export function listApplications({
  prisma,
  auth,
}: Deps): Handler<ListApplicationsRequest, ListApplicationsResponse> {
  return async (_request, call) => {
    const found = await findApplicationsOf(prisma, requireAccount(call.caller));
    const ids = found.map(({ id }) => id);
    const bots = await findUsers(auth, ids, call);
    return {
      applications: found.map((application) => ownedApplication(application, bots.get(application.id))),
    };
  };
}
