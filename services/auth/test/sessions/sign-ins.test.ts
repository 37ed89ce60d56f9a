import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { anonymous } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, newcomer, sessionCaller, startAuth, tokenOf } from '../auth.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const HERE = { ...anonymous, ip: '203.0.113.7', user_agent: FIREFOX };
const ABROAD = { ...anonymous, ip: '198.51.100.7', user_agent: '' };

let service: AuthUnderTest;
beforeAll(async () => {
  service = await startAuth('auth_sign_ins');
});
afterAll(() => service.close());

/** An account that was registered and logged in here, tried with a wrong password, and held abroad. */
async function account() {
  const person = newcomer();
  const { email, password } = person;
  await service.auth.register(person, { ...IN_TIME, caller: HERE });
  const caller = await sessionCaller(
    service.auth,
    tokenOf(await service.auth.login({ email, password }, { ...IN_TIME, caller: HERE })),
  );
  await faultOf(service.auth.login({ email, password: 'wrong horse' }, { ...IN_TIME, caller: ABROAD }));
  await faultOf(service.auth.login({ email, password }, { ...IN_TIME, caller: ABROAD }));
  return { caller };
}

test('sign-ins are listed newest first, with outcome, method, place and client, and without whole addresses', async () => {
  const { caller } = await account();
  const { sign_ins } = await service.auth.listSignIns({}, { ...IN_TIME, caller });
  const abroad = { masked_ip: '198.51.*.*', client_info: { os: null, browser: null }, current: false };
  const here = { masked_ip: '203.0.*.*', client_info: { os: 'Linux', browser: 'Firefox' } };
  expect(sign_ins.map(({ id: _, timestamp: __, ...rest }) => rest)).toEqual([
    { outcome: 'held', method: 'password', ...abroad },
    { outcome: 'refused', method: 'password', ...abroad },
    { outcome: 'signed_in', method: 'password', ...here, current: true },
    { outcome: 'signed_in', method: 'registration', ...here, current: false },
  ]);
  expect(sign_ins.every(({ timestamp }) => !Number.isNaN(Date.parse(timestamp)))).toBe(true);
});

test('pages follow each other by `before`, and other events and accounts are not among them', async () => {
  const { caller } = await account();
  await account();
  await service.auth.createSudoGrant({ password: newcomer().password }, { ...IN_TIME, caller });
  const all = (await service.auth.listSignIns({}, { ...IN_TIME, caller })).sign_ins;
  const first = (await service.auth.listSignIns({ limit: 3 }, { ...IN_TIME, caller })).sign_ins;
  const before = first.at(-1)?.id ?? '';
  const second = (await service.auth.listSignIns({ limit: 3, before }, { ...IN_TIME, caller })).sign_ins;
  expect([...first, ...second]).toEqual(all);
  expect(all).toHaveLength(4);
});

test.each([0, -1, 101])('a page of %d is refused', async (limit) => {
  const { caller } = await account();
  expect(await violationsOf(service.auth.listSignIns({ limit }, { ...IN_TIME, caller }))).toEqual([
    'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
  ]);
});

test('only a session may list them', async () => {
  const { caller } = await account();
  for (const kind of [CallerKind.CALLER_KIND_BOT, CallerKind.CALLER_KIND_ACCESS_TOKEN]) {
    const attempt = service.auth.listSignIns({}, { ...IN_TIME, caller: { ...caller, kind } });
    expect(await faultOf(attempt)).toMatchObject({ reason: 'UNAUTHORIZED' });
  }
});
