import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateApplicationRequest, UpdateApplicationResponse } from '@gatehouse/proto/oauth2';
import { readApplicationChanges } from '../applications/application-form.ts';
import { ownedApplication } from '../applications/application-view.ts';
import { requireOwned } from '../applications/require-owned.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { changeApplication } from '../store/applications.ts';
import { findUsers } from '../users.ts';

export function updateApplication({
  prisma,
  auth,
}: Deps): Handler<UpdateApplicationRequest, UpdateApplicationResponse> {
  return async ({ application_id, ...request }, call) => {
    const { id } = await requireOwned(prisma, application_id, call);
    const changes = readApplicationChanges(request);
    // Before any change: the error of an unavailable auth then means that nothing has changed.
    const bots = await findUsers(auth, [id], call);
    const application = await changeApplication(prisma, id, changes);
    if (application === undefined) throw unknownApplication(); // deleted meanwhile
    return { application: ownedApplication(application, bots.get(id)) };
  };
}
