import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetPublicApplicationRequest, GetPublicApplicationResponse } from '@gatehouse/proto/oauth2';
import { publicApplication } from '../applications/application-view.ts';
import { requireApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { findUsers } from '../users.ts';

export function getPublicApplication({
  prisma,
  auth,
}: Deps): Handler<GetPublicApplicationRequest, GetPublicApplicationResponse> {
  return async ({ application_id }, call) => {
    requireAccount(call.caller);
    const application = await requireApplication(prisma, application_id, unknownApplication);
    const { id, owner_id } = application;
    const users = await findUsers(auth, [id, owner_id], call);
    return { application: publicApplication(application, users.get(id), users.get(owner_id)) };
  };
}
