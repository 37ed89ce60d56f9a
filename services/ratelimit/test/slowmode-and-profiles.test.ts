import { faultOf } from '@gatehouse/dev-env/faults';
import { Status } from '@gatehouse/kit/fault';
import { ProfileField } from '@gatehouse/proto/ratelimit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { check, LONG_TIMEOUT, type Peer, type Served, startRatelimit } from './support.ts';

let now_us: number;
let served: Served;
let peer: Peer;

beforeEach(async () => {
  now_us = 1_000_000;
  served = await startRatelimit({}, { now_us: () => now_us });
  peer = served.peer;
});

afterEach(() => served.close());

async function slowmode(account_id: string, channel_id: string, interval_seconds: number) {
  return (await peer.client.takeSlowmode({ account_id, channel_id, interval_seconds }, LONG_TIMEOUT))
    .retry_after_us;
}

test('slowmode admits one message per interval, account and channel', async () => {
  expect(await slowmode('1', '2', 30)).toBeNull();
  expect(await slowmode('1', '2', 30)).toBe(30_000_000);
  expect(await slowmode('1', '3', 30)).toBeNull();
  expect(await slowmode('2', '2', 30)).toBeNull();
  now_us += 29_999_999;
  expect(await slowmode('1', '2', 30)).toBe(1);
  now_us += 1;
  expect(await slowmode('1', '2', 30)).toBeNull();
});

async function peek(account_id: string, channel_id: string, interval_seconds: number) {
  return (await peer.client.peekSlowmode({ account_id, channel_id, interval_seconds }, LONG_TIMEOUT))
    .retry_after_us;
}

test('PeekSlowmode counts nothing and returns the answer of a message', async () => {
  for (let i = 0; i < 3; i++) expect(await peek('1', '2', 30)).toBeNull();
  expect(await slowmode('1', '2', 30)).toBeNull();
  now_us += 10_000_000;
  for (let i = 0; i < 3; i++) expect(await peek('1', '2', 30)).toBe(20_000_000);
  expect(await peek('1', '2', 60)).toBe(50_000_000);
  expect(await peek('1', '3', 30)).toBeNull();
  expect(await peek('2', '2', 30)).toBeNull();
  now_us += 20_000_000;
  expect(await peek('1', '2', 30)).toBeNull();
  expect(await slowmode('1', '2', 30)).toBeNull();
  const { buckets } = await peer.client.getStatistics({}, LONG_TIMEOUT);
  expect(buckets).toEqual([{ bucket: 'slowmode', admitted: 2, denied: 0, shadowed: 0 }]);
});

test('a changed interval applies at once, from the last message on', async () => {
  expect(await slowmode('1', '2', 60)).toBeNull();
  now_us += 4_000_000;
  expect(await slowmode('1', '2', 10)).toBe(6_000_000);
  expect(await slowmode('1', '2', 21_600)).toBe(21_596_000_000);
  now_us += 6_000_000;
  expect(await slowmode('1', '2', 60)).toBe(50_000_000);
  expect(await slowmode('1', '2', 10)).toBeNull();
});

test('intervals run from 1 to 21600 seconds, and IDs are not empty', async () => {
  expect(await slowmode('1', '2', 1)).toBeNull();
  expect(await slowmode('2', '2', 21_600)).toBeNull();
  for (const interval of [0, 21_601]) {
    const fault = await faultOf(slowmode('1', '2', interval));
    expect(fault).toMatchObject({ status: Status.INVALID_ARGUMENT, reason: 'BAD_INTERVAL' });
    expect(fault.violations[0]?.path).toBe('interval_seconds');
  }
  expect((await faultOf(peek('1', '2', 0))).reason).toBe('BAD_INTERVAL');
  expect((await faultOf(peek('', '2', 1))).reason).toBe('BAD_IDENTITY');
  expect((await faultOf(slowmode('', '2', 1))).violations[0]?.path).toBe('account_id');
  expect((await faultOf(slowmode('1', '', 1))).violations[0]?.path).toBe('channel_id');
  expect((await faultOf(slowmode('1', '9'.repeat(65), 1))).reason).toBe('BAD_IDENTITY');
});

const { PROFILE_FIELD_BIO: BIO, PROFILE_FIELD_BANNER: BANNER, PROFILE_FIELD_AVATAR: AVATAR } = ProfileField;

async function change(account_id: string, guild_id: string | null, ...fields: ProfileField[]) {
  return (await peer.client.takeProfileChanges({ account_id, guild_id, fields }, LONG_TIMEOUT)).denial;
}

test('each field of each profile changes 25 times per 30 minutes', async () => {
  for (let i = 0; i < 25; i++) expect(await change('1', null, BIO)).toBeNull();
  expect(await change('1', null, BIO)).toEqual({ field: BIO, retry_after_us: 72_000_000 });
  for (const field of Object.values(ProfileField)) {
    if (field !== BIO && field !== 0) expect(await change('1', null, field)).toBeNull();
  }
  expect(await change('1', '7', BIO)).toBeNull();
  expect(await change('1', '8', BIO)).toBeNull();
  expect(await change('2', null, BIO)).toBeNull();
  now_us += 72_000_000;
  expect(await change('1', null, BIO)).toBeNull();
});

test('of several fields all are counted or none, and the longest wait is reported', async () => {
  for (let i = 0; i < 25; i++) expect(await change('1', null, BANNER)).toBeNull();
  now_us += 1_000_000;
  for (let i = 0; i < 25; i++) expect(await change('1', null, BIO)).toBeNull();
  for (let i = 0; i < 30; i++) {
    expect(await change('1', null, AVATAR, BANNER, BIO)).toEqual({ field: BIO, retry_after_us: 72_000_000 });
  }
  for (let i = 0; i < 25; i++) expect(await change('1', null, AVATAR)).toBeNull();
});

test('TakeProfileChanges requires known fields, at least one, and each once', async () => {
  for (const fields of [[], [BIO, BIO], [ProfileField.PROFILE_FIELD_UNSPECIFIED], [9 as ProfileField]]) {
    const fault = await faultOf(change('1', null, ...fields));
    expect(fault).toMatchObject({ status: Status.INVALID_ARGUMENT, reason: 'BAD_FIELDS' });
  }
  expect((await faultOf(change('1', '', BIO))).violations[0]?.path).toBe('guild_id');
});

test('the buckets of slowmode and profiles cannot be named, and ListBuckets leaves them out', async () => {
  const { buckets } = await peer.client.listBuckets({}, LONG_TIMEOUT);
  for (const [bucket, key] of [
    ['slowmode', ['account:1', 'channel:2']],
    ['profile:bio', ['account:1']],
  ] as const) {
    expect(buckets.some(({ name }) => name === bucket)).toBe(false);
    expect(await faultOf(check(peer, [[bucket, [...key]]]))).toMatchObject({ reason: 'UNKNOWN_BUCKET' });
  }
});

test('with limits off slowmode and profile changes pass, and a wrong request is still refused', async () => {
  const off = await startRatelimit({ rate_limits: false });
  const slow = { account_id: '1', channel_id: '2', interval_seconds: 60 };
  for (let i = 0; i < 3; i++) {
    expect(await off.peer.client.takeSlowmode(slow, LONG_TIMEOUT)).toEqual({
      retry_after_us: null,
      degraded: false,
    });
  }
  const fault = await faultOf(off.peer.client.takeSlowmode({ ...slow, interval_seconds: 0 }, LONG_TIMEOUT));
  expect(fault.reason).toBe('BAD_INTERVAL');
  await off.close();
});
