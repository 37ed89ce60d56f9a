import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FindApplicationsRequest, FindApplicationsResponse } from '@gatehouse/proto/oauth2-admin';
import { adminApplication } from '../../applications/admin-view.ts';
import type { Deps } from '../../deps.ts';
import {
  type ApplicationPage,
  findAllApplications,
  findMatchingApplications,
} from '../../store/admin-applications.ts';

const QUERY_MAX = 320;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** Of the first page: as large as an ID can be. */
const NO_BOUND = String(2n ** 63n - 1n);

export function findApplications({
  db,
  prisma,
}: Deps): Handler<FindApplicationsRequest, FindApplicationsResponse> {
  return async (request) => {
    const { query, page } = readRequest(request);
    const id = isSnowflake(query) ? query : null;
    const found =
      query === ''
        ? await findAllApplications(prisma, page)
        : await findMatchingApplications(db, { name: query, id }, page);
    return { applications: found.map(adminApplication) };
  };
}

/** @throws INVALID_FORM_BODY */
function readRequest(request: FindApplicationsRequest): { query: string; page: ApplicationPage } {
  const form = new Form();
  const query = form.text('query', request.query, { max: QUERY_MAX, trim: true });
  if (query.includes('\0')) form.fail('query', 'INVALID_FORMAT', 'Must not contain a NUL character.');
  const before = request.before ?? NO_BOUND;
  if (!isSnowflake(before)) form.fail('before', 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
  const limit = request.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) form.fail('limit', 'INVALID_FORMAT', `Must be 1 to ${MAX_LIMIT}.`);
  form.check();
  return { query, page: { before, limit } };
}
