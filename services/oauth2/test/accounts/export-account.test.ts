import { violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';
import { insertAccessToken } from '../rows.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_export_account');
});
afterAll(() => service.close());

test('the usage and the last errors of an owner’s applications are exported', async () => {
  const owner = await newPerson(service.auth);
  const stranger = await newPerson(service.auth);
  const ids: string[] = [];
  for (const caller of [owner, owner, stranger]) {
    const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
    ids.push(application?.id ?? '');
  }
  const [first = '', second = '', theirs = ''] = ids;
  // 120 hours of the first application: more than a page.
  await service.db.query(
    `INSERT INTO application_usage (application_id, hour, bucket, requests, limited)
     SELECT application_id, '2026-01-01T00:00Z'::timestamptz + hour * interval '1 hour', bucket, hour + 1, hour
       FROM unnest($1::bigint[], $2::integer[]) AS counted (application_id, hours),
            generate_series(0, hours - 1) AS hour, unnest(ARRAY['a', 'b']) AS bucket`,
    [
      [first, second, theirs],
      [120, 1, 1],
    ],
  );
  await service.db.query(
    `INSERT INTO application_errors (application_id, occurred_at, method, route, status, code, request_id)
     SELECT application_id, now(), 'GET', '/users/@me', 401, 'UNAUTHORIZED', 'request-' || application_id
       FROM unnest($1::bigint[]) AS application_id`,
    [[first, second, theirs]],
  );

  const usage = await readAll(owner.account_id, 'application_usage');
  expect(usage).toHaveLength(121);
  expect(new Set(usage.map(({ application_id, hour }) => `${application_id} ${hour}`)).size).toBe(121);
  expect(usage[119]).toEqual({
    application_id: first,
    hour: '2026-01-05T23:00:00+00:00',
    buckets: { a: { requests: 120, limited: 119 }, b: { requests: 120, limited: 119 } },
  });
  expect(usage[120]).toMatchObject({ application_id: second });
  const errors = await readAll(owner.account_id, 'application_errors');
  expect(errors.map(({ request_id }) => request_id)).toEqual([`request-${first}`, `request-${second}`]);
});

async function readAll(account_id: string, file: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let after: string | undefined;
  do {
    const page = await service.oauth2.exportAccount(
      { account_id, file, ...(after !== undefined && { after }) },
      IN_TIME,
    );
    rows.push(...(JSON.parse(`[${page.rows}]`) as Record<string, unknown>[]));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return rows;
}

test('applications and authorizations of an account are exported, without secrets and tokens', async () => {
  const owner = await newPerson(service.auth);
  const user = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), {
    ...IN_TIME,
    caller: owner,
  });
  const application_id = application?.id ?? '';
  const { token } = await insertAccessToken(service.db, { application_id, account_id: user.account_id });
  const read = async (account_id: string, file: string) =>
    (await service.oauth2.exportAccount({ account_id, file }, IN_TIME)).rows;

  const applications = await read(owner.account_id, 'applications');
  expect(JSON.parse(applications)).toMatchObject({ id: application_id });
  const authorizations = await read(user.account_id, 'authorizations');
  expect(JSON.parse(authorizations)).toMatchObject({ application_id });
  for (const secret of [application?.client_secret, token])
    expect(applications + authorizations).not.toContain(secret ?? 'none');
  expect(`${applications}${authorizations}`).not.toMatch(/hash/);
  expect(await read(user.account_id, 'applications')).toBe('');
  const unknown = service.oauth2.exportAccount({ account_id: '1', file: 'secrets' }, IN_TIME);
  expect(await violationsOf(unknown)).toEqual(['root INVALID_FORMAT']);
});
