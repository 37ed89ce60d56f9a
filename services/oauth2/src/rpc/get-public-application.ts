import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { GetPublicApplicationRequest, GetPublicApplicationResponse } from '@gatehouse/proto/oauth2';
import { publicApplication } from '../applications/application-view.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { findApplication } from '../store/applications.ts';
import { findUsers } from '../users.ts';

export function getPublicApplication({
  prisma,
  auth,
}: Deps): Handler<GetPublicApplicationRequest, GetPublicApplicationResponse> {
  return async ({ application_id }, call) => {
    requireAccount(call.caller);
    if (!isSnowflake(application_id)) throw unknownApplication();
    const application = await findApplication(prisma, application_id);
    if (application === undefined) throw unknownApplication();
    const bots = await findUsers(auth, [application.id], call);
    return { application: publicApplication(application, bots.get(application.id)) };
  };
}
