import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { GetApplicationRequest, GetApplicationResponse } from '@gatehouse/proto/oauth2';
import { ownedApplication } from '../applications/application-view.ts';
import { findBots } from '../applications/bots.ts';
import type { Deps } from '../deps.ts';
import { notYourApplication, unknownApplication } from '../errors.ts';
import { findApplication } from '../store/applications.ts';

export function getApplication({
  records,
  auth,
}: Deps): Handler<GetApplicationRequest, GetApplicationResponse> {
  return async ({ application_id }, call) => {
    const account_id = requireAccount(call.caller);
    if (!isSnowflake(application_id)) throw unknownApplication();
    const application = await findApplication(records, application_id);
    if (application === undefined) throw unknownApplication();
    if (application.owner_id !== account_id) throw notYourApplication();

    const bots = await findBots(auth, [application.id], call);
    return { application: ownedApplication(application, bots.get(application.id)) };
  };
}
