import { violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME } from '../requests.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_busy_applications');
});
beforeEach(async () => {
  await service.db.query('TRUNCATE applications, application_usage, application_errors CASCADE');
});
afterAll(() => service.close());

async function addApplication(id: string, name: string): Promise<void> {
  await service.db.query(
    `INSERT INTO applications (id, owner_id, name, redirect_uris, client_secret_hash)
     VALUES ($1, 1, $2, '{https://client.test}', sha256('x'))`,
    [id, name],
  );
}

async function addRequests(id: string, hours_ago: number, requests: number, bucket = 'global') {
  await service.db.query(
    `INSERT INTO application_usage (application_id, hour, bucket, requests, limited)
     VALUES ($1, date_trunc('hour', now(), 'UTC') - $2 * interval '1 hour', $3, $4, 0)`,
    [id, hours_ago, bucket, requests],
  );
}

const list = async (limit?: number) =>
  (await service.admin.listBusyApplications(limit === undefined ? {} : { limit }, IN_TIME)).applications;

test('the busiest applications of this hour and the one before it come first', async () => {
  for (const [id, name] of [
    ['101', 'Quiet'],
    ['102', 'Busy'],
    ['103', 'Earlier'],
    ['104', 'Idle'],
  ] as const)
    await addApplication(id, name);
  await addRequests('101', 0, 3);
  await addRequests('102', 0, 5);
  await addRequests('102', 0, 6, 'channel:message:create');
  await addRequests('102', 1, 7);
  await addRequests('103', 2, 1_000);
  expect(await list()).toEqual([
    { id: '102', name: 'Busy', requests: 18, errors: 0, disabled: false, owner_suspended: false },
    { id: '101', name: 'Quiet', requests: 3, errors: 0, disabled: false, owner_suspended: false },
  ]);
  expect((await list(1)).map(({ id }) => id)).toEqual(['102']);
});

test('usage that edges report counts, and so do failed requests of that time', async () => {
  await addApplication('201', 'Reported');
  const failed = (at: Date, request_id: string) => ({
    time: at.toISOString(),
    method: 'POST',
    route: '/channels/{channel_id}/messages',
    status: 403,
    code: 'MISSING_PERMISSIONS',
    request_id,
  });
  await service.oauth2.reportUsage(
    {
      report_id: crypto.randomUUID(),
      applications: [
        {
          application_id: '201',
          buckets: [{ bucket: 'channel:message:create', requests: 4, limited: 1 }],
          errors: [failed(new Date(), 'now'), failed(new Date(Date.now() - 3 * 3_600_000), 'earlier')],
        },
      ],
    },
    IN_TIME,
  );
  expect(await list()).toEqual([
    { id: '201', name: 'Reported', requests: 4, errors: 1, disabled: false, owner_suspended: false },
  ]);
});

test('one that an operator disabled says so', async () => {
  await addApplication('251', 'Disabled');
  await addRequests('251', 0, 1);
  const { disableApplication, enableApplication } = service.admin;
  const action = { application_id: '251', operator: 'kim', reason: 'It floods.' };
  await disableApplication(action, IN_TIME);
  expect(await list()).toMatchObject([{ id: '251', disabled: true }]);
  await enableApplication(action, IN_TIME);
  expect(await list()).toMatchObject([{ id: '251', disabled: false, owner_suspended: false }]);
});

test('one whose owner is suspended says so', async () => {
  await addApplication('261', 'Of a suspended owner');
  await addRequests('261', 0, 1);
  const report = { account_id: '1', suspended: true, version: 1 };
  await service.oauth2.setAccountSuspended(report, IN_TIME);
  expect(await list()).toMatchObject([{ id: '261', disabled: false, owner_suspended: true }]);
  await service.oauth2.setAccountSuspended({ ...report, suspended: false, version: 2 }, IN_TIME);
  expect(await list()).toMatchObject([{ id: '261', owner_suspended: false }]);
});

test('of equally busy ones the older comes first, and a deleted one leaves its place to the next', async () => {
  for (const id of ['301', '302', '303']) {
    await addApplication(id, id);
    await addRequests(id, 0, 10);
  }
  expect((await list()).map(({ id }) => id)).toEqual(['301', '302', '303']);
  await service.db.query(`DELETE FROM applications WHERE id = 301`);
  expect((await list(2)).map(({ id }) => id)).toEqual(['302', '303']);
});

test('a limit of 0 or over 100 is refused', async () => {
  for (const limit of [0, 101])
    expect(await violationsOf(list(limit))).toEqual(['limit VALUE_MUST_BE_INTEGER_IN_RANGE']);
  expect(await list(100)).toEqual([]);
});
