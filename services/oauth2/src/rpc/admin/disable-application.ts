import { readOperatorAction } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { DisableApplicationRequest, DisableApplicationResponse } from '@gatehouse/proto/oauth2-admin';
import { announceDisablement } from '../../applications/announce-disablement.ts';
import type { Deps } from '../../deps.ts';
import { unknownApplication } from '../../errors.ts';
import { disableApplication as disable } from '../../store/disablements.ts';

export function disableApplication(
  deps: Deps,
): Handler<DisableApplicationRequest, DisableApplicationResponse> {
  return async ({ application_id, ...request }) => {
    const action = readOperatorAction(request);
    const change = isSnowflake(application_id) ? await disable(deps.db, application_id, action) : undefined;
    if (change === undefined) throw unknownApplication();
    return announceDisablement(deps, change);
  };
}
