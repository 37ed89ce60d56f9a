import { readOperatorAction } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { EnableApplicationRequest, EnableApplicationResponse } from '@gatehouse/proto/oauth2-admin';
import { announceDisablement } from '../../applications/announce-disablement.ts';
import type { Deps } from '../../deps.ts';
import { unknownApplication } from '../../errors.ts';
import { enableApplication as enable } from '../../store/disablements.ts';

export function enableApplication(deps: Deps): Handler<EnableApplicationRequest, EnableApplicationResponse> {
  return async ({ application_id, ...request }) => {
    readOperatorAction(request);
    const change = isSnowflake(application_id) ? await enable(deps.db, application_id) : undefined;
    if (change === undefined) throw unknownApplication();
    return announceDisablement(deps, change);
  };
}
