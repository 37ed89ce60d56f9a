import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { PEERS } from '@gatehouse/proto/peers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectBucketDenial, isBucketDenial } from '../rate-limit/expect-denial.ts';
import { apiOf, type Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { freshAddress, type Hook, hookIn, newHook } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import { PROXIED, useSuite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { ASKS_RATELIMIT, ONE_TRUSTED_HOP } from './changes.ts';
import { clientProtocols } from './client-protocols.ts';
import type { Change } from './configuration.ts';
import { oddRequests } from './odd-requests.ts';
import { plantTokens } from './plant-tokens.ts';
import { envoyIsMissing, type RunningEnvoy, runEnvoy } from './running-envoy.ts';
import { type SecondEdge, startSecondEdge } from './second-edge.ts';

const tls_dir = mkdtempSync(join(tmpdir(), 'gatehouse-envoy-tls-'));
const MiB = 1024 * 1024;
const BURST = 150;
/** Few enough that ratelimit answers in time on a busy machine: else each edge would decide by itself. */
const AT_ONCE = 10;
const HURRIED: Change = ['request_headers_timeout: 30s', 'request_headers_timeout: 1s'];

async function issue(...names: readonly string[]): Promise<void> {
  const folder = await openCertificateFolder(tls_dir, { name: 'test', valid_days: 1 });
  for (const name of names) await folder.issue(name, { domain: 'gatehouse.internal', valid_days: 1 });
}

beforeAll(() => issue(...PEERS, 'front'));
afterAll(() => rmSync(tls_dir, { recursive: true }));

describe.skipIf(envoyIsMissing)('a suite with two edges behind Envoy', () => {
  const suite = useSuite({ ...PROXIED, RPC_TLS_DIR: tls_dir });
  let second: SecondEdge;
  let front: RunningEnvoy;
  /** Behind a proxy that it trusts, and with limits of its own. */
  let other: RunningEnvoy;

  beforeAll(async () => {
    second = await startSecondEdge(suite, PROXIED, tls_dir);
    const addresses = {
      gateway: [new URL(suite.url).host, second.address],
      ratelimit: [suite.running.addresses.ratelimit ?? ''],
    };
    front = await runEnvoy({ file: 'front.yaml', addresses, tls_dir });
    const changes = [ONE_TRUSTED_HOP, ASKS_RATELIMIT, HURRIED];
    other = await runEnvoy({ file: 'front.yaml', addresses, tls_dir, changes });
    await Promise.all([front.healthy('gateway', 2), other.healthy('gateway', 2)]);
  });
  afterAll(async () => {
    await Promise.all([front?.close(), other?.close()]);
    await second?.close();
  });

  clientProtocols(() => ({ front, tls_dir, renew: () => issue('front') }));
  oddRequests(() => ({ edge: suite.url, envoy: front.url }));

  /** The same webhook, called through an Envoy. */
  const through = (envoy: RunningEnvoy, hook: Hook): Promise<Hook> =>
    hookIn({ owner: hook.owner, guild: hook.guild, channel: hook.channel }, apiOf(envoy.url));

  /** How many of a burst are admitted, and that no more than the limit are, of a bucket that drains one a second. */
  async function burst(hook: Hook) {
    const startedAt = performance.now();
    const replies: Reply[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let n = 0; n < BURST / AT_ONCE; n++) replies.push(await hook.execute({ content: 'x' }));
      }),
    );
    const drained = Math.ceil((performance.now() - startedAt) / 1000);
    const denied = replies.filter(isBucketDenial);
    const admitted = replies.filter(({ status }) => status === 204).length;
    expect(admitted + denied.length).toBe(BURST);
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(60 + drained);
    for (const reply of denied) expectBucketDenial(reply, 'webhook:execute', 60, 60);
    return { admitted, denied: denied.length };
  }

  describe('limits', () => {
    it('hold over both edges as over one', async () => {
      const before = front.requests().length;
      const { denied } = await burst(await through(front, await newHook(suite.api)));
      expect(denied).toBeGreaterThan(0);
      await until('the access log', 5_000, () => front.requests().length >= before + BURST || undefined);
      const edges = front.requests().map(({ edge }) => edge);
      for (const edge of [new URL(suite.url).host, second.address])
        expect(edges.filter((each) => each === edge).length, edge).toBeGreaterThan(30);
    });

    it('by address are the connection’s, whatever X-Forwarded-For says', async () => {
      const statuses = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          login(front, '127.0.0.1', { 'x-forwarded-for': `203.0.113.${n}, 198.51.100.${n}` }),
        ),
      );
      expect(statuses.filter((status) => status !== 429)).toHaveLength(10);
      expect(await login(front, '127.0.0.9'), 'another address').toBe(400);
      expect(await login(front, '127.0.0.1'), 'the same').toBe(429);
    });

    it('by address are those that a trusted proxy has appended, and only the last', async () => {
      const client = freshAddress();
      const statuses = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          login(other, '127.0.0.1', { 'x-forwarded-for': `203.0.113.${n}, ${client}` }),
        ),
      );
      expect(statuses.filter((status) => status !== 429)).toHaveLength(10);
      expect(await login(other, '127.0.0.1', { 'x-forwarded-for': freshAddress() })).toBe(400);
    });

    it('are told by Envoy itself, in the words of the edge, where it asks ratelimit', async () => {
      const hook = await through(other, await newHook(suite.api));
      await burst(hook);
      const before = other.requests().length;
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => apiOf(other.url).post(`${hook.path}/chatcompat`, { text: 'x' })),
      );
      const denied = replies.filter(isBucketDenial);
      expect(denied.length).toBeGreaterThan(5);
      for (const reply of denied) expectBucketDenial(reply, 'webhook:execute', 60, 60);
      await until('the access log', 5_000, () => other.requests().length >= before + 10 || undefined);
      const told = other
        .requests()
        .slice(before)
        .filter(({ status }) => status === 429);
      expect(told.filter(({ edge }) => edge === null).length, 'by Envoy').toBeGreaterThan(5);

      const direct = await hookIn(hook, suite.api).then(() => suite.api.post(hook.path, { content: 'x' }));
      expect(direct.status).toBe(429);
      const shape = ({ headers }: { headers: Headers }) =>
        [...headers.keys()].filter((name) => !['connection', 'keep-alive'].includes(name)).sort();
      expect(shape(denied[0] ?? direct)).toEqual(shape(direct));
    });

    it('of the other providers’ routes are asked for too', async () => {
      const hook = await through(other, await newHook(suite.api));
      const api = apiOf(other.url);
      expect((await api.post(`${hook.path}/codehost`, {}, { 'x-codehost-event': 'ping' })).status).toBe(204);
      expect((await api.post(`${hook.path}/statuspage`, {})).status).toBe(204);
      expect(await other.metric('envoy_cluster_ratelimit_error', '"gateway"')).toBe(0);
      expect(await other.metric('envoy_cluster_ratelimit_ok', '"gateway"')).toBeGreaterThan(2);
      expect(await other.metric('envoy_cluster_ratelimit_over_limit', '"gateway"')).toBeGreaterThan(5);
    });
  });

  describe('what is too much or too slow', () => {
    it.each([
      ['a body beyond its route’s limit', '/webhooks/1/x', MiB + 1],
      ['a body far beyond it', '/webhooks/1/x', 40 * MiB],
    ])('(%s) is 413, from the edge', async (_, path, bytes) => {
      const reply = await apiOf(front.url).post(path, Buffer.alloc(bytes, ' '), {
        'content-type': 'application/json',
      });
      expectError(reply, 413, 'PAYLOAD_TOO_LARGE');
    });

    it('(a long body for a webhook that is none) is 404 before it has come', async () => {
      const path = '/api/v1/webhooks/1/x/codehost';
      const bytes = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${20 * MiB}\r\n\r\n${' '.repeat(100_000)}`;
      expectError(await raw(front.url, bytes), 404, 'NOT_FOUND');
    });

    it('(a long picture) comes through whole', async () => {
      const { owner } = await newHook(suite.api);
      const api = apiOf(front.url).as(`Bearer ${owner.token}`);
      const reply = await api.send('PATCH', '/users/@me', { body: { avatar: 'a'.repeat(14 * MiB) } });
      expectError(reply, 400, 'INVALID_FORM_BODY');
    });

    it.each([
      ['a path that the edge takes', 60_000, 401],
      ['a path that the edge refuses', 70_000, 431],
      ['a path that Envoy refuses', 200_000, 431],
    ])('(%s) is answered as the edge answers', async (_, length, status) => {
      const reply = await raw(front.url, request(`GET /api/v1/channels/${'9'.repeat(length)}`));
      expectError(reply, status, status === 431 ? 'REQUEST_HEADER_FIELDS_TOO_LARGE' : 'UNAUTHORIZED');
    });

    it('(a head that does not come) is 408', async () => {
      expectError(await raw(other.url, 'GET /api/v1/users/@me HTTP/1.1\r\nHo'), 408, 'REQUEST_TIMEOUT');
    });
  });

  it('no token is in what Envoy writes', async () => {
    const before = front.requests().length;
    const planted = await plantTokens(await newHook(suite.api), front);
    await until('the access log', 5_000, () => front.requests().length >= before + planted.sent || undefined);
    expect(planted.secrets.filter((secret) => front.log().includes(secret))).toEqual([]);
    expect(front.log()).toContain(planted.request_id);
  });
});

/** The status of a login of nobody, from this address of the loopback. */
function login(envoy: RunningEnvoy, localAddress: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, password: 'nobody’s' });
  return new Promise<number | undefined>((resolve, reject) => {
    const options = {
      method: 'POST',
      localAddress,
      headers: { 'content-type': 'application/json', ...headers },
    };
    httpRequest(`${envoy.url}/api/v1/auth/login`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(body);
  });
}
