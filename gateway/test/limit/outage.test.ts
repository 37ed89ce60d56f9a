import type { Call } from '@gatehouse/kit/rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Edge, type EdgeOptions, startEdge } from '../support/edge.ts';
import type { Answer, SendOptions } from '../support/http.ts';
import { BOT, checks, REVISION, SESSION, servedBuckets } from '../support/peers.ts';

const session = { headers: { authorization: `Bearer ${SESSION}` } };
const bot = { headers: { authorization: `Bot ${BOT}` } };
const scope = ({ headers }: Answer) => headers.get('x-ratelimit-scope');

let edge: Edge;
afterEach(() => edge.close());

const found = (options: SendOptions = session) =>
  edge.send('POST /guilds', { ...options, body: { name: 'x' } });

/** Each request makes one check at ratelimit, if the edge calls it. */
let webhooks = 0;
const read = () => edge.send(`GET /webhooks/${++webhooks}/tok`);

async function untilAsked(): Promise<void> {
  const before = checks(edge.peers).length;
  const sent = async () => {
    await read();
    return checks(edge.peers).length;
  };
  await expect.poll(sent, { interval: 20 }).toBeGreaterThan(before);
}

describe('while ratelimit is gone, the edge', () => {
  async function lost(config: EdgeOptions['config'] = {}): Promise<void> {
    edge = await startEdge({ config });
    await edge.peers.stop('ratelimit');
  }

  it.each([
    [1, 10],
    [3, 3],
    [11, 1],
  ])('of %i admits its share of a limit of 10, which is %i', async (gateway_replicas, share) => {
    await lost({ gateway_replicas });
    const answers: Answer[] = [];
    for (let n = 0; n < 13; n++) answers.push(await found());
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(share);
    const denied = answers.filter((answer) => scope(answer) === 'user');
    expect(denied.length).toBeGreaterThan(0);
    for (const { headers } of denied) expect(headers.get('x-ratelimit-limit'), 'the bucket’s own').toBe('10');
  });

  it('keeps identities apart', async () => {
    await lost();
    for (let n = 0; n < 10; n++) expect((await found()).status).toBe(200);
    expect((await found()).status).toBe(429);
    expect((await found(bot)).status).toBe(200);
  });

  it('counts the global bucket first, and a global denial charges nothing else', async () => {
    await lost();
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 80 }, () => edge.send('POST /nothing', session)));
    const drained = Math.ceil((performance.now() - startedAt) / 20);
    const admitted = answers.filter(({ status }) => status === 404).length;
    expect(admitted).toBeGreaterThanOrEqual(50);
    expect(admitted).toBeLessThanOrEqual(50 + drained);
    for (const answer of answers) if (answer.status !== 404) expect(scope(answer)).toBe('global');
    const guilds: Answer[] = [];
    while (guilds.filter((answer) => scope(answer) === 'user').length === 0) guilds.push(await found());
    expect(guilds.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('keeps repeating ratelimit’s denials', async () => {
    edge = await startEdge();
    const wait = { retry_after_us: 60_000_000, empty_after_us: 60_000_000 };
    edge.peers.denial = { bucket: 'guild:create', limit: 10, ...wait };
    expect((await found()).status).toBe(429);
    await edge.peers.stop('ratelimit');
    expect((await found()).status).toBe(429);
    expect((await found(bot)).status).toBe(200);
  });

  it('continues without it, and calls it again when it is back', async () => {
    await lost();
    for (let n = 0; n < 20; n++) expect((await read()).status).toBe(200);
    await edge.peers.restart('ratelimit');
    await untilAsked();
    await expect.poll(() => edge.log.join('')).toContain('ratelimit answers again');
  });

  it('logs the number of its decisions, at most once a second', async () => {
    await lost();
    const startedAt = performance.now();
    for (let n = 0; n < 100; n++) await read();
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    const warnings = edge.log.filter((line) => line.includes('limits are decided here'));
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThanOrEqual(1 + seconds);
    expect(JSON.parse(warnings[0] ?? '')).toMatchObject({ level: 40, decided_here: 1 });
  });

  it('admits everything if limits are switched off', async () => {
    await lost({ rate_limits: false });
    for (let n = 0; n < 20; n++) expect((await found()).status).toBe(200);
  });
});

describe('changed rules at ratelimit', () => {
  it('take effect, and denials under the old ones are forgotten', async () => {
    edge = await startEdge();
    const wait = { retry_after_us: 60_000_000, empty_after_us: 60_000_000 };
    edge.peers.denial = { bucket: 'webhook:execute', limit: 60, ...wait };
    expect((await edge.send('POST /webhooks/1/tok')).status).toBe(429);
    edge.peers.denial = undefined;
    expect((await edge.send('POST /webhooks/1/tok')).status).toBe(429);

    const buckets = servedBuckets().map((bucket) =>
      bucket.name === 'guild:create' ? { ...bucket, limit: 12 } : bucket,
    );
    edge.peers.answers.ratelimit = { listBuckets: () => ({ buckets, revision: 'another' }) };
    await expect.poll(() => edge.log.join('')).toContain('ratelimit has other rules');
    expect((await edge.send('POST /webhooks/1/tok')).status).toBe(204);

    await edge.peers.stop('ratelimit');
    for (let n = 0; n < 12; n++) expect((await found()).status).toBe(200);
    expect((await found()).headers.get('x-ratelimit-limit')).toBe('12');
  });
});

describe('while ratelimit hangs, the edge', () => {
  let moving: boolean;
  beforeEach(async () => {
    edge = await startEdge({ config: { ratelimit_timeout_ms: 250 } });
    moving = false;
    const stuck =
      <T>(answer: T) =>
      (_: unknown, call: Call): T | Promise<T> =>
        moving ? answer : calledOff(call);
    edge.peers.answers.ratelimit = {
      check: stuck({ denial: null, degraded: false }),
      listBuckets: stuck({ buckets: servedBuckets(), revision: REVISION }),
    };
  });

  it('waits for it five times, then no more, and calls it again once it answers', async () => {
    for (let n = 0; n < 5; n++) expect((await read()).status).toBe(200);
    expect(checks(edge.peers)).toHaveLength(5);
    for (let n = 0; n < 50; n++) expect((await read()).status).toBe(200);
    expect(checks(edge.peers), 'no further request waits for it').toHaveLength(5);
    moving = true;
    await untilAsked();
  });

  it('answers many simultaneous requests in bounded time', async () => {
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, read));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

/** Never answers; ends when the caller gives up. */
function calledOff({ signal }: Call): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the caller gave up')));
  });
}

it('an error of ratelimit is no outage: the edge keeps calling it, and decides nothing in its place', async () => {
  edge = await startEdge();
  edge.peers.answers.ratelimit = { check: () => Promise.reject(new Error('x')) };
  for (let n = 0; n < 10; n++) expect((await read()).status).toBe(500);
  expect(checks(edge.peers)).toHaveLength(10);
});
