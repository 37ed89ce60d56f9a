import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { until } from '@gatehouse/dev-env/until';
import type { RunningEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import { describe, expect, it } from 'vitest';
import { expectBucketDenial, isBucketDenial } from '../rate-limit/expect-denial.ts';
import { apiOf, type Reply } from '../support/api.ts';
import { createWebhook, freshAddress, newWebhook, type WebhookFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import type { SecondEdge } from './second-edge.ts';

interface Given {
  readonly stack: TestStack;
  readonly second: SecondEdge;
  readonly front: RunningEnvoy;
  /** Trusts the last address of X-Forwarded-For, and queries ratelimit itself. */
  readonly other: RunningEnvoy;
}

const BURST = 150;
const AT_ONCE = 10;
const ATTEMPTS = 5;

export function envoyLimits(given: () => Given): void {
  /** The same guild with a new webhook, called through an Envoy. */
  const newWebhookThrough = async (envoy: RunningEnvoy): Promise<WebhookFixture> =>
    createWebhook(await newWebhook(given().stack.api), apiOf(envoy.url));

  /**
   * Retries a failed test if an edge had to decide without ratelimit meanwhile, as on a busy machine: no limit is
   * exact then.
   */
  async function undisturbed(attempt: (n: number) => Promise<void>): Promise<void> {
    for (let n = 1; ; n++) {
      const before = decidedAlone();
      try {
        await attempt(n);
        return;
      } catch (error) {
        if (n === ATTEMPTS || decidedAlone() === before) throw error;
      }
    }
  }

  function decidedAlone(): number {
    const { stack, second } = given();
    const logs = readFileSync(join(stack.data_dir, 'logs', 'gateway.log'), 'utf8') + second.log();
    return logs.split('"decided_here"').length;
  }

  describe('limits', () => {
    it('apply across both edges as to one', async () => {
      const { front, stack, second } = given();
      await undisturbed(async () => {
        const before = front.requests().length;
        await burst(await newWebhookThrough(front));
        await until('the access log', 30_000, () => front.requests().length >= before + BURST || undefined);
        const edges = front.requests().map(({ edge }) => edge);
        for (const address of [new URL(stack.url).host, second.address])
          expect(edges.filter((edge) => edge === address).length, address).toBeGreaterThan(30);
      });
    });

    it('per address use the address of the connection, not X-Forwarded-For', async () => {
      const { front } = given();
      await undisturbed(async (attempt) => {
        // The edges trust the first as a proxy.
        const client = `127.0.0.${attempt}`;
        const headersOf = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}, 198.51.100.${n}` });
        const statuses = await Promise.all(
          Array.from({ length: 30 }, (_, n) => login(front, client, headersOf(n))),
        );
        expect(statuses.filter((status) => status !== 429)).toHaveLength(10);
        expect(await login(front, `127.0.0.${100 + attempt}`), 'another address').toBe(400);
        expect(await login(front, client), 'the same').toBe(429);
      });
    });

    it('per address use the last address appended by a trusted proxy', async () => {
      const { other } = given();
      await undisturbed(async () => {
        const client = freshAddress();
        const headersOf = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}, ${client}` });
        const statuses = await Promise.all(
          Array.from({ length: 30 }, (_, n) => login(other, '127.0.0.1', headersOf(n))),
        );
        expect(statuses.filter((status) => status !== 429)).toHaveLength(10);
        expect(await login(other, '127.0.0.1', { 'x-forwarded-for': freshAddress() })).toBe(400);
      });
    });

    it('are answered by Envoy itself, with the body of the edge, if it queries ratelimit', async () => {
      const { other, stack } = given();
      const hook = await newWebhookThrough(other);
      await undisturbed(async () => burst(await newWebhookThrough(other)));
      await burst(hook).catch(() => undefined); // The bucket is full, no matter which process decided.
      const byEnvoy = await until('a denial by Envoy', 30_000, async () => {
        const reply = await apiOf(other.url).post(`${hook.path}/chatcompat`, { text: 'x' });
        const id = reply.headers.get('x-request-id');
        const { status, edge } = await until('its line in the access log', 30_000, () =>
          other.requests().find(({ request_id }) => request_id === id),
        );
        return status === 429 && edge === null ? reply : undefined;
      });
      expectBucketDenial(byEnvoy, 'webhook:execute');
      const byEdge = await until('a denial by the edge', 30_000, async () => {
        const reply = await stack.api.post(hook.path, { content: 'x' });
        return isBucketDenial(reply) ? reply : undefined;
      });
      expect(headerNames(byEnvoy)).toEqual(headerNames(byEdge));
    });

    it.each([
      ['codehost', { 'x-codehost-event': 'ping' }],
      ['statuspage', {}],
      ['chatcompat', {}],
    ])('of %s are queried too', async (provider, headers) => {
      const { other } = given();
      const { path } = await newWebhookThrough(other);
      await until('ratelimit has answered Envoy', 30_000, async () => {
        const answered = () => other.metric('envoy_cluster_ratelimit_ok', '"gateway"');
        const before = await answered();
        const reply = await apiOf(other.url).post(`${path}/${provider}`, { text: 'x' }, headers);
        expect(reply.status).toBeLessThan(300);
        return (await answered()) > before ? true : undefined;
      });
    });
  });
}

/** Exactly as many executions are admitted as the bucket has room for; it drains one per second. */
async function burst(hook: WebhookFixture): Promise<void> {
  const startedAt = performance.now();
  const replies: Reply[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let n = 0; n < BURST / AT_ONCE; n++) replies.push(await hook.execute({ content: 'x' }));
    }),
  );
  const drained = Math.ceil((performance.now() - startedAt) / 1000);
  const denied = replies.filter(isBucketDenial);
  const admitted = replies.filter(({ status }) => status === 204);
  expect(admitted.length + denied.length).toBe(BURST);
  expect(admitted.length).toBeGreaterThanOrEqual(60);
  expect(admitted.length).toBeLessThanOrEqual(60 + drained);
  for (const reply of denied) expectBucketDenial(reply, 'webhook:execute');
}

function headerNames({ headers }: Reply): string[] {
  return [...headers.keys()].filter((name) => !['connection', 'keep-alive'].includes(name)).sort();
}

/** The status of a login to no account, from this loopback address. */
function login(envoy: RunningEnvoy, localAddress: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password: 'nobody’s' });
  return new Promise<number | undefined>((resolve, reject) => {
    const type = { 'content-type': 'application/json' };
    const options = { method: 'POST', localAddress, headers: { ...type, ...headers } };
    httpRequest(`${envoy.url}/api/v1/auth/login`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(body);
  });
}
