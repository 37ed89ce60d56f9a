import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateApplicationRequest, UpdateApplicationResponse } from '@gatehouse/proto/oauth2';
import { readApplicationChanges } from '../applications/application-form.ts';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { changeApplication } from '../store/applications.ts';
import { findUsers } from '../users.ts';

export function updateApplication({
  prisma,
  auth,
}: Deps): Handler<UpdateApplicationRequest, UpdateApplicationResponse> {
  return async ({ application_id, ...request }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    const changes = readApplicationChanges(request);
    // Before the change: if auth is unavailable, the call fails without having changed anything.
    const bots = await findUsers(auth, [id], call);
    const application = await changeApplication(prisma, id, changes);
    if (application === undefined) throw unknownApplication(); // deleted meanwhile
    return { application: ownedApplication(application, bots.get(id)) };
  };
}
