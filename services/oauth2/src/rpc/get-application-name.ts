import type { Handler } from '@gatehouse/kit/rpc';
import type { GetApplicationNameRequest, GetApplicationNameResponse } from '@gatehouse/proto/oauth2';
import { requireApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';

export function getApplicationName({
  prisma,
}: Deps): Handler<GetApplicationNameRequest, GetApplicationNameResponse> {
  return async ({ application_id }) => {
    const { name, icon } = await requireApplication(prisma, application_id, unknownApplication);
    return { name, icon };
  };
}
