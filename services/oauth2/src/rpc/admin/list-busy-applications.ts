import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  ListBusyApplicationsRequest,
  ListBusyApplicationsResponse,
} from '@gatehouse/proto/oauth2-admin';
import type { Deps } from '../../deps.ts';
import { findBusyApplications } from '../../store/busy-applications.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

export function listBusyApplications({
  db,
}: Pick<Deps, 'db'>): Handler<ListBusyApplicationsRequest, ListBusyApplicationsResponse> {
  return async ({ limit }) => {
    const most = limit ?? DEFAULT_LIMIT;
    const form = new Form();
    if (most < 1 || most > MAX_LIMIT) form.fail('limit', 'INVALID_FORMAT', `Must be 1 to ${MAX_LIMIT}.`);
    form.check();
    return { applications: await findBusyApplications(db, most) };
  };
}
