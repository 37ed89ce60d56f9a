import { readFileSync } from 'node:fs';
import { testCertificates } from '@gatehouse/dev-env/certificates';
import { freePort } from '@gatehouse/dev-env/free-port';
import { ServerCredentials, status } from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ConnectOptions, connectRateLimits, type RateLimits } from '../../src/client.ts';
import { GrpcRatelimit } from './grpc-ratelimit.ts';

/** Long enough for an answer on a busy machine. */
const LONG_TIMEOUT_MS = 10_000;
const SETS = [{ charges: [{ bucket: 'report', identities: ['account:1'] }] }];

let ratelimit: GrpcRatelimit;
let limits: RateLimits;
beforeEach(async () => {
  ratelimit = new GrpcRatelimit();
  await ratelimit.start();
});
afterEach(() => {
  limits.close();
  ratelimit.stop();
});

function open(options: ConnectOptions = {}, address = ratelimit.address): void {
  limits = connectRateLimits(address, { timeout_ms: LONG_TIMEOUT_MS, ...options });
}

const check = async (signal?: AbortSignal) => limits.check(SETS, signal && { signal });
const denial = (retry_after_us: number) => ({
  bucket: 'report',
  limit: 1,
  retry_after_us,
  empty_after_us: 9,
});

it('sends the checks of all callers on one stream, and matches answers in any order', async () => {
  const held: number[] = [];
  ratelimit.onCheck = ({ tag }, stream) => {
    held.push(tag ?? 0);
    if (held.length < 20) return;
    for (const one of held.reverse()) stream.write({ denial: denial(one), degraded: true, tag: one });
  };
  open();
  const answers = await Promise.all(Array.from({ length: 20 }, () => check()));
  expect(answers.map((answer) => answer?.retry_after_us)).toEqual(ratelimit.requests.map(({ tag }) => tag));
  expect(ratelimit.streams).toHaveLength(1);
  expect(ratelimit.requests[0]).toMatchObject({ sets: SETS, timeout_ms: LONG_TIMEOUT_MS });
});

it('throws the error of one check, and the stream goes on', async () => {
  ratelimit.onCheck = ({ tag }, stream) => {
    const error = { code: 3, message: 'no such bucket', details: [] };
    stream.write({ denial: null, degraded: false, tag, ...(tag === 2 && { error }) });
  };
  open();
  const [first, second, third] = await Promise.allSettled([check(), check(), check()]);
  expect([first?.status, third?.status]).toEqual(['fulfilled', 'fulfilled']);
  expect(second).toMatchObject({ reason: { status: 'INVALID_ARGUMENT', message: 'no such bucket' } });
  expect(ratelimit.streams).toHaveLength(1);
});

it.each([
  ['a cost that is no number of tokens', { bucket: 'report', identities: ['account:1'], cost: -1 }],
  ['no identities', { bucket: 'report', identities: undefined as unknown as string[] }],
  ['a text of 256 KiB', { bucket: 'report', identities: ['x'.repeat(256 * 1024)] }],
])('throws for %s, and the checks of others go on', async (_, charge) => {
  let release = (): void => undefined;
  ratelimit.onCheck = ({ tag }, stream) => {
    release = () => void stream.write({ denial: null, degraded: false, tag });
  };
  open();
  const waiting = check();
  const refused = async () => limits.check([{ charges: [charge] }]);
  await expect(refused()).rejects.toMatchObject({ status: 'INVALID_ARGUMENT' });
  await expect.poll(() => ratelimit.requests).toHaveLength(1);
  release();
  expect(await waiting).toBeUndefined();
  expect(limits.counts.local).toBe(0);
});

it('cancels the check of a caller that stops waiting, and of no other', async () => {
  const waiting = new AbortController();
  ratelimit.onCheck = ({ tag }, stream) => {
    if (tag !== 1) stream.write({ denial: null, degraded: false, tag });
  };
  open();
  const cancelled = check(waiting.signal);
  expect(await check()).toBeUndefined();
  waiting.abort(new Error('the client has left'));
  await expect(cancelled).rejects.toThrow('the client has left');
  await expect.poll(() => ratelimit.requests.at(-1)).toMatchObject({ tag: 1, cancel: true });
  await expect(check(AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  expect(limits.counts.local).toBe(0);
});

it('decides a check by itself that is not answered in time; a late answer is nobody else’s', async () => {
  ratelimit.onCheck = ({ tag }, stream) => {
    if (tag !== 2) return;
    stream.write({ denial: denial(1), degraded: true, tag: 1 }); // late
    stream.write({ denial: null, degraded: false, tag });
  };
  open({ timeout_ms: 50 });
  expect(await check()).toBeUndefined();
  expect(limits.counts.local).toBe(1);
  expect(await check()).toBeUndefined();
  expect(limits.counts.denied.size).toBe(0);
});

it('decides the checks of a lost stream by itself, and opens another one for the next', async () => {
  ratelimit.onCheck = (_, stream) => {
    if (ratelimit.requests.length === 30) stream.emit('error', { code: status.UNAVAILABLE });
  };
  open({ served: { revision: 'a', buckets: [] } });
  await Promise.all(Array.from({ length: 30 }, () => check()));
  expect(limits.counts.local).toBe(30);
  expect(limits.isBreakerOpen(), 'they failed at one moment').toBe(false);
  ratelimit.onCheck = ({ tag }, stream) => stream.write({ denial: denial(7), degraded: true, tag });
  expect(await check()).toMatchObject({ retry_after_us: 7 });
  expect(ratelimit.streams).toHaveLength(2);
});

it.each([['DEADLINE_EXCEEDED'], ['RESOURCE_EXHAUSTED'], ['INTERNAL'], ['CANCELLED']] as const)(
  'decides by itself if a stream ends with %s',
  async (code) => {
    ratelimit.onCheck = (_, stream) => stream.emit('error', { code: status[code] });
    open();
    expect(await check()).toBeUndefined();
    expect(limits.counts.local).toBe(1);
  },
);

it('throws if the stream is refused, and decides nothing', async () => {
  ratelimit.onCheck = (_, stream) => stream.emit('error', { code: status.PERMISSION_DENIED });
  open();
  await expect(check()).rejects.toMatchObject({ status: 'PERMISSION_DENIED' });
  expect(limits.counts.local).toBe(0);
});

it('replaces a stream that answers nothing, on a connection that works', async () => {
  ratelimit.onCheck = () => undefined;
  open({ timeout_ms: 50 });
  const streams = async (): Promise<number> => {
    await check();
    return ratelimit.streams.length;
  };
  await expect.poll(streams).toBeGreaterThan(1);
});

it('goes on at another replica if one is lost', async () => {
  const gone = `127.0.0.1:${await freePort()}`;
  ratelimit.onCheck = ({ tag }, stream) => stream.write({ denial: denial(7), degraded: true, tag });
  open({}, `${gone}, ${ratelimit.address},${gone}`);
  await expect.poll(async () => (await check())?.retry_after_us).toBe(7);
  ratelimit.stop();
  await ratelimit.start();
  await expect.poll(async () => (await check())?.retry_after_us).toBe(7);
});

it('talks mutual TLS with certificates from files, and only to the named server', async () => {
  const certificates = await testCertificates('ratelimit', 'exporter');
  const { ca, cert, key } = certificates.files('ratelimit');
  const pair = { cert_chain: readFileSync(cert), private_key: readFileSync(key) };
  const secure = new GrpcRatelimit();
  await secure.start(ServerCredentials.createSsl(readFileSync(ca), [pair], true));
  secure.onCheck = ({ tag }, stream) => stream.write({ denial: denial(7), degraded: true, tag });
  const own = certificates.files('exporter');
  const tls = { ca_file: own.ca, cert_file: own.cert, key_file: own.key };
  open({ tls: { ...tls, server_name: 'ratelimit.test.internal' } }, secure.address);
  await expect.poll(async () => (await check())?.retry_after_us).toBe(7);
  limits.close();
  open({ tls: { ...tls, server_name: 'other.test.internal' }, timeout_ms: 1000 }, secure.address);
  expect(await check()).toBeUndefined();
  expect(limits.counts.local).toBe(1);
  secure.stop();
  certificates.close();
});

it('still gets the answers of open checks when it is closed', async () => {
  let release = (): void => undefined;
  ratelimit.onCheck = ({ tag }, stream) => {
    release = () => void stream.write({ denial: denial(7), degraded: true, tag });
  };
  open();
  const waiting = check();
  await expect.poll(() => ratelimit.requests).toHaveLength(1);
  limits.close();
  release();
  expect(await waiting).toMatchObject({ retry_after_us: 7 });
});

it('is closed while checks wait: one is cancelled, and the other one still gets its answer', async () => {
  let release = (): void => undefined;
  ratelimit.onCheck = (_, stream) => {
    release = () => void stream.write({ denial: denial(7), degraded: true, tag: 1 });
  };
  open();
  const waiting = check();
  const left = new AbortController();
  const cancelled = check(left.signal);
  await expect.poll(() => ratelimit.requests).toHaveLength(2);
  limits.close();
  left.abort(new Error('the client has left'));
  await expect(cancelled).rejects.toThrow('the client has left');
  release();
  expect(await waiting).toMatchObject({ retry_after_us: 7 });
});

it('renews a lease when the signal of its acquisition is aborted', async () => {
  open();
  const acquiring = new AbortController();
  const charge = { bucket: 'exports', identities: ['account:1'] };
  const { lease } = await limits.acquire(charge, { signal: acquiring.signal });
  acquiring.abort();
  await expect.poll(() => ratelimit.requests.length).toBeGreaterThan(1);
  expect(lease?.signal.aborted).toBe(false);
});

it('decides by itself after it was closed', async () => {
  open();
  await check();
  limits.close();
  expect(await check()).toBeUndefined();
  expect(limits.counts.local).toBe(1);
});
