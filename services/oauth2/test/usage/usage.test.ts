import { randomUUID } from 'node:crypto';
import { faultOf } from '@gatehouse/dev-env/faults';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { FailedRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';
import { formOf } from '../tokens.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_usage');
});
afterAll(() => service.close());

async function create() {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings(), { ...IN_TIME, caller });
  if (application == null) throw new Error('no application was created');
  const { id, client_secret } = application;
  return { id, client_secret: client_secret ?? '', caller };
}

const usageOf = (application_id: string, caller: Caller) =>
  service.oauth2.getUsage({ application_id }, { ...IN_TIME, caller });

const failed = (request_id: string, at = new Date()): FailedRequest => ({
  time: at.toISOString(),
  method: 'POST',
  route: '/channels/{channel_id}/messages',
  status: 403,
  code: 'MISSING_PERMISSIONS',
  request_id,
});

function report(application_id: string, requests: number, limited = 0, errors: FailedRequest[] = []) {
  const buckets = [{ bucket: 'channel:message:create', requests, limited }];
  return { report_id: randomUUID(), applications: [{ application_id, buckets, errors }] };
}

test('reports of two edges at two replicas add up exactly, each once however often it is sent', async () => {
  const [one, other] = [await create(), await create()];
  const second = await service.replica();
  const reports = Array.from({ length: 40 }, (_, index) => {
    const { report_id, applications } = report(one.id, 3, 1);
    const both = [...applications, ...report(other.id, 1).applications];
    return { report_id, applications: index % 2 === 0 ? both : both.toReversed() };
  });
  const sent = [...reports, ...reports];
  await Promise.all(
    sent.map((each, index) => (index % 2 === 0 ? service.oauth2 : second).reportUsage(each, IN_TIME)),
  );
  const counts = { requests: 120, limited: 40 };
  expect((await usageOf(one.id, one.caller)).buckets).toEqual([
    { bucket: 'channel:message:create', last_24_hours: counts, last_7_days: counts },
  ]);
  expect((await usageOf(other.id, other.caller)).buckets[0]?.last_7_days).toEqual({
    requests: 40,
    limited: 0,
  });
});

test('the last 50 errors stay, the newest first', async () => {
  const { id, caller } = await create();
  for (let sent = 0; sent < 6; sent++) {
    const errors = Array.from({ length: 10 }, (_, index) => failed(String(sent * 10 + index)));
    await service.oauth2.reportUsage(report(id, 10, 0, errors), IN_TIME);
  }
  const { errors } = await usageOf(id, caller);
  expect(errors.map(({ request_id }) => Number(request_id))).toEqual(
    Array.from({ length: 50 }, (_, index) => 59 - index),
  );
  expect(errors[0]).toMatchObject({ route: '/channels/{channel_id}/messages', status: 403 });
});

test('errors of a report that comes late are below newer ones, and displace none', async () => {
  const { id, caller } = await create();
  const now = Date.now();
  const send = (minutes: number) => {
    const at = new Date(now - minutes * 60_000);
    const errors = Array.from({ length: 10 }, () => failed(String(minutes), at));
    return service.oauth2.reportUsage(report(id, 10, 0, errors), IN_TIME);
  };
  const minutes = async () => (await usageOf(id, caller)).errors.map(({ request_id }) => Number(request_id));
  for (const age of [0, 1, 3, 4, 2]) await send(age);
  expect(await minutes()).toEqual([0, 1, 2, 3, 4].flatMap((age) => Array.from({ length: 10 }, () => age)));
  await send(5);
  expect(await minutes()).toHaveLength(50);
  expect(await minutes()).not.toContain(5);
});

test('old hours count for the week alone, and then for nothing', async () => {
  const { id, caller } = await create();
  await service.oauth2.reportUsage(report(id, 1), IN_TIME);
  for (const [requests, hours] of [
    [10, 24],
    [100, 167],
    [1000, 168],
  ])
    await service.db.query(
      `INSERT INTO application_usage (application_id, hour, bucket, requests, limited)
       VALUES ($1, date_trunc('hour', now(), 'UTC') - $2 * interval '1 hour', 'channel:message:create', $3, 0)`,
      [id, hours, requests],
    );
  expect((await usageOf(id, caller)).buckets).toMatchObject([
    { last_24_hours: { requests: 1 }, last_7_days: { requests: 111 } },
  ]);
});

test('only the owner reads it, an unknown application is left out, and all of it ends with the application', async () => {
  const { id, caller } = await create();
  const { applications, report_id } = report(id, 2, 0, [failed('x')]);
  await service.oauth2.reportUsage(
    { report_id, applications: [...report('404', 5).applications, ...applications] },
    IN_TIME,
  );
  expect((await usageOf(id, caller)).buckets).toHaveLength(1);
  const stranger = await newPerson(service.auth);
  expect(await faultOf(usageOf(id, stranger))).toMatchObject({ reason: 'FORBIDDEN' });
  await service.oauth2.deleteApplication({ application_id: id }, { ...IN_TIME, caller });
  for (const table of ['application_usage', 'application_errors'])
    expect((await service.db.query(`SELECT FROM ${table} WHERE application_id = $1`, [id])).rowCount).toBe(0);
});

test('a report beyond the bounds is refused', async () => {
  const { id } = await create();
  const many = Array.from({ length: 11 }, (_, index) => failed(String(index)));
  for (const refused of [
    report(id, 1, 0, many),
    report(id, 1, 0, [{ ...failed('x'), time: 'yesterday' }]),
    report(id, 1, 0, [{ ...failed('x'), status: 70_000 }]),
    report(id, 1, 0, [{ ...failed('x'), code: 'with \u0000' }]),
    report('abc', 1),
    { ...report(id, 1), report_id: 'no UUID' },
    { ...report(id, 1), applications: Array.from({ length: 201 }, () => report(id, 1).applications).flat() },
  ])
    expect(await faultOf(service.oauth2.reportUsage(refused, IN_TIME))).toMatchObject({
      reason: 'INVALID_FORM_BODY',
    });
});

test('a token route counts for the client that has proved its secret, and for no other', async () => {
  const { id, client_secret, caller } = await create();
  const client = { client_id: id, client_secret };
  const introspect = (secret: string) =>
    service.oauth2.introspectToken(formOf({ ...client, client_secret: secret, token: 'unknown' }), IN_TIME);
  const exchange = (grant_type: string) =>
    service.oauth2.exchangeToken(formOf({ ...client, grant_type }), {
      ...IN_TIME,
      requestId: 'of-the-exchange',
    });
  await introspect(client_secret);
  expect(await faultOf(introspect('wrong'))).toMatchObject({ reason: 'INVALID_CLIENT_SECRET' });
  expect(await faultOf(exchange('password'))).toMatchObject({ reason: 'UNSUPPORTED_GRANT_TYPE' });
  await expect.poll(async () => (await usageOf(id, caller)).buckets.length, { timeout: 20_000 }).toBe(2);
  const { buckets, errors } = await usageOf(id, caller);
  expect(buckets.map(({ bucket, last_24_hours }) => [bucket, last_24_hours])).toEqual([
    ['oauth:introspect', { requests: 1, limited: 0 }],
    ['oauth:token', { requests: 1, limited: 0 }],
  ]);
  expect(errors).toMatchObject([
    {
      method: 'POST',
      route: '/oauth2/token',
      status: 400,
      code: 'UNSUPPORTED_GRANT_TYPE',
      request_id: 'of-the-exchange',
    },
  ]);
});
