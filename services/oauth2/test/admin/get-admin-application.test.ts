import { randomUUID } from 'node:crypto';
import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson } from '../requests.ts';
import { exchange, newClient, newCode, REDIRECT_URI } from '../tokens.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_get_admin_application');
});
afterAll(() => service.close());

const get = (application_id: string) => service.admin.getAdminApplication({ application_id }, IN_TIME);

async function report(application_id: string, requests: number, hoursAgo: number): Promise<void> {
  const time = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const error = { time, method: 'GET', route: '/users/@me', status: 403, code: 'X', request_id: 'r' };
  const buckets = [{ bucket: 'user:read', requests, limited: 0 }];
  const request = {
    report_id: randomUUID(),
    applications: [{ application_id, buckets, errors: [error] }],
  };
  await service.oauth2.reportUsage(request, IN_TIME);
}

test('an application has its accounts, and its requests and errors of the last 24 hours', async () => {
  const client = await newClient(service);
  const { client_id, owner } = client;
  for (const person of [client.person, client.person, await newPerson(service.auth)]) {
    const of = { ...client, person };
    await exchange(service.oauth2, of, await newCode(service.oauth2, of));
  }
  await report(client_id, 7, 30);
  await service.db.query("UPDATE application_usage SET hour = hour - interval '30 hours'");
  await report(client_id, 3, 1);
  await report(client_id, 2, 1);
  expect(await get(client_id)).toEqual({
    application: {
      id: client_id,
      name: 'Application',
      owner_id: owner.account_id,
      redirect_uris: [REDIRECT_URI],
      created_at_ms: expect.any(Number),
      disablement: null,
      owner_suspended: false,
    },
    accounts: 2,
    requests: 5,
    errors: 2,
  });
});

test('accounts are counted up to 10,000', async () => {
  const { client_id } = await newClient(service);
  await service.db.query(
    `INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
     SELECT n, sha256(n::text::bytea), $1, n, '{identify}' FROM generate_series(1, 10005) AS n`,
    [client_id],
  );
  expect((await get(client_id)).accounts).toBe(10_000);
});

test('an application says whether its owner is suspended, and so do lists', async () => {
  const { client_id, owner } = await newClient(service);
  const suspend = (suspended: boolean, version: number) =>
    service.oauth2.setAccountSuspended({ account_id: owner.account_id, suspended, version }, IN_TIME);
  const states = async () => {
    const { applications } = await service.admin.findApplications({ query: client_id }, IN_TIME);
    const all = await service.admin.findApplications({ query: '' }, IN_TIME);
    const shown = [(await get(client_id)).application, ...applications, ...all.applications];
    return shown.filter((one) => one?.id === client_id).map((one) => one?.owner_suspended);
  };
  expect(await states()).toEqual([false, false, false]);
  await suspend(true, 1);
  expect(await states()).toEqual([true, true, true]);
  await suspend(false, 2);
  expect(await states()).toEqual([false, false, false]);
});

test('an unknown application is an error', async () => {
  for (const id of ['1', '', "'", '9'.repeat(10_240)])
    expect(await reasonOf(get(id))).toBe('UNKNOWN_APPLICATION');
});
