import { Form } from '@gatehouse/kit/form';
import { readOperatorSearch } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FindApplicationsRequest, FindApplicationsResponse } from '@gatehouse/proto/oauth2-admin';
import { adminApplication } from '../../applications/admin-view.ts';
import type { Deps } from '../../deps.ts';
import { findNewestApplications, searchApplications } from '../../store/admin-applications.ts';

export function findApplications({ db }: Deps): Handler<FindApplicationsRequest, FindApplicationsResponse> {
  return async (request) => {
    const form = new Form();
    const { query, ...page } = readOperatorSearch(form, request);
    if (query.includes('\0')) form.fail('query', 'INVALID_FORMAT', 'Must have no NUL character.');
    form.check();
    const id = isSnowflake(query) ? query : null;
    const found =
      query === ''
        ? await findNewestApplications(db, page)
        : await searchApplications(db, { name: query, id }, page);
    return { applications: found.map(adminApplication) };
  };
}
