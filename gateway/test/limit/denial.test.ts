import { createHash } from 'node:crypto';
import type { Denial } from '@gatehouse/proto/ratelimit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useEdge } from '../support/edge.ts';
import { LIMIT_HEADERS } from '../support/every-answer.ts';
import type { Answer } from '../support/http.ts';
import { SESSION } from '../support/peers.ts';

const BUCKET = { bucket: 'webhook:execute', limit: 60 };
const GLOBAL = { bucket: 'global', limit: 50 };

/** Microseconds → retry_after, Retry-After: up, always (docs/rate-limits.md#rounding). */
const WAITS: readonly [us: number, retry_after: number, seconds: string][] = [
  [0, 0.001, '1'],
  [1, 0.001, '1'],
  [999, 0.001, '1'],
  [1000, 0.001, '1'],
  [1001, 0.002, '1'],
  [16_667, 0.017, '1'],
  [500_000, 0.5, '1'],
  [999_000, 0.999, '1'],
  [999_001, 1, '1'],
  [1_000_000, 1, '1'],
  [1_000_001, 1.001, '2'],
  [1_999_999, 2, '2'],
  [2_000_000, 2, '2'],
  [3_599_999_999, 3600, '3600'],
  [3_600_000_001, 3600.001, '3601'],
];

describe('a denial', () => {
  const edge = useEdge();
  let webhooks = 0;
  /** Another webhook each time, as denials are remembered. */
  const deny = (denial: Denial): Promise<Answer> => {
    edge.peers.denial = denial;
    return edge.send(`POST /webhooks/${++webhooks}/tok`);
  };

  it('of a bucket has these headers and members, and no others', async () => {
    const before = Date.now();
    const answer = await deny({ ...BUCKET, retry_after_us: 1_234_567, empty_after_us: 59_000_001 });
    const after = Date.now();
    expect(answer.status).toBe(429);
    expect(answer.text).toBe(
      '{"error":"429 Too Many Requests","code":"RATE_LIMITED","message":"You are being rate limited. Try again in 2 seconds.","global":false,"retry_after":1.235}',
    );
    const { 'x-ratelimit-reset': reset, ...rest } = limitHeaders(answer);
    expect(rest).toEqual({
      'retry-after': '2',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': '59.001',
      'x-ratelimit-bucket': createHash('sha256').update('webhook:execute').digest('hex').slice(0, 16),
    });
    expect(reset).toMatch(/^\d+$/);
    expect(Number(reset) * 1000).toBeGreaterThanOrEqual(before + 59_000);
    expect(Number(reset) * 1000).toBeLessThan(after + 59_001 + 1000);
  });

  it('of the global bucket has its scope and names no bucket', async () => {
    const answer = await deny({ ...GLOBAL, retry_after_us: 20_000, empty_after_us: 1_000_000 });
    expect(answer.json()).toEqual({
      error: '429 Too Many Requests',
      code: 'RATE_LIMITED',
      message: 'You are being rate limited. Try again in 1 second.',
      global: true,
      retry_after: 0.02,
    });
    expect(limitHeaders(answer)).toEqual({
      'retry-after': '1',
      'x-ratelimit-scope': 'global',
      'x-ratelimit-global': 'true',
    });
  });

  it.each(WAITS)('of %i µs is retry_after %d and Retry-After %s', async (us, retry_after, seconds) => {
    for (const bucket of [BUCKET, GLOBAL]) {
      const answer = await deny({ ...bucket, retry_after_us: us, empty_after_us: us });
      expect(answer.json()).toMatchObject({
        retry_after,
        message: expect.stringContaining(` ${seconds} second`),
      });
      expect(answer.headers.get('retry-after')).toBe(seconds);
    }
  });

  it('never reports too short a wait', async () => {
    const wait = fc.integer({ min: 0, max: 4_000_000_000 });
    await fc.assert(
      fc.asyncProperty(wait, wait, async (retry_after_us, more) => {
        const empty_after_us = retry_after_us + more;
        const answer = await deny({ ...BUCKET, retry_after_us, empty_after_us });
        const { retry_after } = answer.json<{ retry_after: number }>();
        expect(retry_after * 1e6).toBeGreaterThanOrEqual(retry_after_us * (1 - Number.EPSILON));
        expect(retry_after * 1e6 - retry_after_us).toBeLessThanOrEqual(1000.001);
        expect(String(retry_after)).toMatch(/^\d+(\.\d{1,3})?$/);
        expect(retry_after).toBeGreaterThanOrEqual(0.001);
        const { 'retry-after': seconds, 'x-ratelimit-reset-after': resetAfter } = limitHeaders(answer);
        expect(seconds).toBe(String(Math.max(Math.ceil(retry_after), 1)));
        expect(resetAfter).toMatch(/^\d+\.\d{3}$/);
        expect(Number(resetAfter) * 1e6).toBeGreaterThanOrEqual(empty_after_us * (1 - Number.EPSILON));
      }),
      { numRuns: 300 },
    );
  });

  it('gives each bucket one identifier for all callers', async () => {
    const id = async (bucket: string) =>
      (await deny({ bucket, limit: 1, retry_after_us: 1, empty_after_us: 1 })).headers.get(
        'x-ratelimit-bucket',
      );
    expect(await id('guild:create')).toMatch(/^[0-9a-f]{16}$/);
    expect(await id('guild:create')).toBe(await id('guild:create'));
    expect(await id('guild:create')).not.toBe(await id('guild:read'));
  });

  it('does not name the bucket', async () => {
    const answer = await deny({ ...BUCKET, retry_after_us: 1, empty_after_us: 1 });
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain('webhook:execute');
  });

  it('applies to unmatched routes, and calls no service', async () => {
    edge.peers.denial = { ...GLOBAL, retry_after_us: 1, empty_after_us: 1 };
    expect((await edge.send('POST /nothing')).status).toBe(429);
    await edge.send('GET /users/@me', { headers: { authorization: SESSION } });
    expect(edge.peers.calls.map(({ rpc }) => rpc)).not.toContain('getCurrentUser');
  });

  it('is the only answer with rate-limit headers', async () => {
    expect(limitHeaders(await edge.send(`POST /webhooks/${++webhooks}/tok`))).toEqual({});
    expect(limitHeaders(await edge.send('GET /users/@me'))).toEqual({});
  });
});

function limitHeaders({ headers }: Answer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => LIMIT_HEADERS.includes(name)));
}
