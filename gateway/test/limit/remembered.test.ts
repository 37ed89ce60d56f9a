import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useEdge } from '../support/edge.ts';
import type { Answer } from '../support/http.ts';
import { checks, SECOND_SESSION, SESSION } from '../support/peers.ts';

const MINUTE_US = 60_000_000;
const EXECUTE = {
  bucket: 'webhook:execute',
  limit: 60,
  retry_after_us: MINUTE_US,
  empty_after_us: 2 * MINUTE_US,
};
const CREATE = {
  bucket: 'guild:create',
  limit: 10,
  retry_after_us: MINUTE_US,
  empty_after_us: 2 * MINUTE_US,
};
const GLOBAL = { bucket: 'global', limit: 50, retry_after_us: MINUTE_US, empty_after_us: MINUTE_US };

describe('a remembered denial', () => {
  const edge = useEdge();
  const session = { headers: { authorization: `Bearer ${SESSION}` } };
  const calls = () => checks(edge.peers).length;
  const retryAfter = (answer: Answer) => answer.json<{ retry_after: number }>().retry_after;

  it('is repeated without a call, with the remaining wait', async () => {
    edge.peers.denial = EXECUTE;
    const first = await edge.send('POST /webhooks/1/tok');
    const flood = await Promise.all(Array.from({ length: 200 }, () => edge.send('POST /webhooks/1/tok')));
    expect(calls()).toBe(1);
    let least = retryAfter(first);
    expect(least).toBe(60);
    for (const answer of flood) {
      expect(answer.status).toBe(429);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('60');
      expect(answer.headers.get('x-ratelimit-bucket')).toBe(first.headers.get('x-ratelimit-bucket'));
      least = Math.min(least, retryAfter(answer));
    }
    await expect.poll(async () => retryAfter(await edge.send('POST /webhooks/1/tok'))).toBeLessThan(least);
    expect(calls()).toBe(1);
  });

  it('holds for its own bucket and identity only', async () => {
    edge.peers.denial = EXECUTE;
    await edge.send('POST /webhooks/2/tok');
    edge.peers.denial = undefined;
    expect((await edge.send('POST /webhooks/2/tok/chatcompat', { body: { text: 'x' } })).status).toBe(429);
    expect((await edge.send('POST /webhooks/3/tok')).status).toBe(204);
    expect((await edge.send('POST /webhooks/2/tok/codehost')).status).toBe(204);
    expect((await edge.send('GET /webhooks/2/tok')).status).toBe(200);
  });

  it('ends when its wait is over, never later', async () => {
    edge.peers.denial = { ...EXECUTE, retry_after_us: 300_000 };
    const before = performance.now();
    await edge.send('POST /webhooks/4/tok');
    edge.peers.denial = undefined;
    await expect
      .poll(async () => (await edge.send('POST /webhooks/4/tok')).status, { interval: 5 })
      .toBe(204);
    expect(performance.now()).toBeGreaterThan(before + 290);
    expect(calls()).toBe(2);
  });

  it('reports a sufficient wait, even after a slow answer', async () => {
    let endsAt = 0;
    const check = async () => {
      await delay(150);
      endsAt = performance.now() + 60_000;
      const denial = { ...EXECUTE, retry_after_us: MINUTE_US };
      return { denial, degraded: false };
    };
    edge.peers.answers.ratelimit = { check };
    await edge.send('POST /webhooks/7/tok');
    const again = await edge.send('POST /webhooks/7/tok');
    expect(calls()).toBe(1);
    expect(performance.now() + retryAfter(again) * 1000).toBeGreaterThanOrEqual(endsAt);
    expect(retryAfter(again)).toBeLessThanOrEqual(60);
  });

  it('of a second set is never repeated: the global bucket counts every request', async () => {
    edge.peers.denial = CREATE;
    for (let n = 0; n < 3; n++) expect((await edge.send('POST /guilds', session)).status).toBe(429);
    expect(calls()).toBe(3);
  });

  it('of the global bucket is remembered for that client', async () => {
    edge.peers.denial = GLOBAL;
    for (const line of ['POST /guilds', 'GET /users/@me', 'POST /nothing']) {
      const answer = await edge.send(line, session);
      expect([answer.status, answer.headers.get('x-ratelimit-scope')]).toEqual([429, 'global']);
    }
    expect(calls()).toBe(1);
    edge.peers.denial = undefined;
    const other = { headers: { authorization: `Bearer ${SECOND_SESSION}` } };
    expect((await edge.send('GET /users/@me', other)).status).toBe(200);
    expect((await edge.send('POST /webhooks/5/tok', session)).status, 'which the bucket does not count').toBe(
      204,
    );
  });

  it('of a failure policy is not remembered: the bucket may admit a moment later', async () => {
    edge.peers.answers.ratelimit = { check: () => ({ denial: EXECUTE, degraded: true }) };
    expect((await edge.send('POST /webhooks/6/tok')).status).toBe(429);
    edge.peers.answers = {};
    expect((await edge.send('POST /webhooks/6/tok')).status).toBe(204);
  });
});
