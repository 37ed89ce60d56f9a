import { Form } from '@gatehouse/kit/form';
import { readOperatorSearch } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  ListBusyApplicationsRequest,
  ListBusyApplicationsResponse,
} from '@gatehouse/proto/oauth2-admin';
import type { Deps } from '../../deps.ts';
import { findBusyApplications } from '../../store/busy-applications.ts';

export function listBusyApplications({
  db,
}: Pick<Deps, 'db'>): Handler<ListBusyApplicationsRequest, ListBusyApplicationsResponse> {
  return async ({ limit }) => {
    const form = new Form();
    const page = readOperatorSearch(form, { limit });
    form.check();
    return { applications: await findBusyApplications(db, page.limit) };
  };
}
