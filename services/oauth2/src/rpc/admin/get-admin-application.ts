import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { GetAdminApplicationRequest, GetAdminApplicationResponse } from '@gatehouse/proto/oauth2-admin';
import { adminApplication } from '../../applications/admin-view.ts';
import type { Deps } from '../../deps.ts';
import { unknownApplication } from '../../errors.ts';
import { findActivity } from '../../store/admin-applications.ts';

export function getAdminApplication({
  db,
}: Deps): Handler<GetAdminApplicationRequest, GetAdminApplicationResponse> {
  return async ({ application_id }) => {
    const found = isSnowflake(application_id) ? await findActivity(db, application_id) : undefined;
    if (found === undefined) throw unknownApplication();
    const { accounts, requests, errors } = found;
    return { application: adminApplication(found), accounts, requests, errors };
  };
}
