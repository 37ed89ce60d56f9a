import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { until } from '@gatehouse/dev-env/until';
import { PEERS } from '@gatehouse/proto/peers';
import { ONE_TRUSTED_HOP, RATELIMIT_ENABLED } from '@gatehouse/stack/envoy/changes';
import type { Change } from '@gatehouse/stack/envoy/configuration';
import { envoyIsMissing, type RunningEnvoy, runEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { newWebhook } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import { PROXIED, useStack } from '../support/stack.ts';
import { clientProtocols } from './client-protocols.ts';
import { envoyLimits } from './envoy-limits.ts';
import { oddHttpThroughEnvoy } from './odd-http-through-envoy.ts';
import { plantTokens } from './plant-tokens.ts';
import { type SecondEdge, startSecondEdge } from './second-edge.ts';

const tls_dir = mkdtempSync(join(tmpdir(), 'gatehouse-envoy-tls-'));
const MiB = 1024 * 1024;
const EDGES = { ...PROXIED, GATEWAY_REPLICAS: '2' };
const HURRIED: Change = ['request_headers_timeout: 30s', 'request_headers_timeout: 1s'];

async function issue(...names: readonly string[]): Promise<void> {
  const folder = await openCertificateFolder(tls_dir, { name: 'test', valid_days: 1 });
  for (const name of names) await folder.issue(name, { domain: 'gatehouse.internal', valid_days: 1 });
}

beforeAll(() => issue(...PEERS, 'front'));
afterAll(() => rmSync(tls_dir, { recursive: true }));

describe.skipIf(envoyIsMissing)('a stack with two edges behind Envoy', () => {
  const stack = useStack({ ...EDGES, RPC_TLS_DIR: tls_dir });
  let second: SecondEdge;
  let front: RunningEnvoy;
  /** Behind a trusted proxy, with its own limits. */
  let other: RunningEnvoy;

  beforeAll(async () => {
    second = await startSecondEdge(stack, EDGES, tls_dir);
    const addresses = {
      gateway: [new URL(stack.url).host, second.address],
      ratelimit: [stack.running.addresses.ratelimit ?? ''],
      realtime: [stack.running.web_sockets],
    };
    front = await runEnvoy({ file: 'front.yaml', addresses, tls_dir });
    const changes = [ONE_TRUSTED_HOP, RATELIMIT_ENABLED, HURRIED];
    other = await runEnvoy({ file: 'front.yaml', addresses, tls_dir, changes });
    await Promise.all([front.healthy('gateway', 2), other.healthy('gateway', 2)]);
  });
  afterAll(async () => {
    await Promise.all([front?.close(), other?.close()]);
    await second?.close();
  });

  clientProtocols(() => ({ front, tls_dir, renew: () => issue('front') }));
  oddHttpThroughEnvoy(() => ({ edge: stack.url, envoy: front.url }));

  envoyLimits(() => ({ stack, second, front, other }));

  describe('a request that is too large or too slow', () => {
    it.each([
      ['a body over its route’s limit', '/webhooks/1/x', MiB + 1],
      ['a body far over it', '/webhooks/1/x', 40 * MiB],
    ])('(%s) is 413, from the edge', async (_, path, bytes) => {
      const reply = await apiOf(front.url).post(path, Buffer.alloc(bytes, ' '), {
        'content-type': 'application/json',
      });
      expectError(reply, 413, 'PAYLOAD_TOO_LARGE');
    });

    it('(a long body for an unknown webhook) is 404 before the body has arrived', async () => {
      const path = '/api/v1/webhooks/1/x/codehost';
      const bytes = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${20 * MiB}\r\n\r\n${' '.repeat(100_000)}`;
      expectError(await raw(front.url, bytes), 404, 'NOT_FOUND');
    });

    it('(a large picture) is passed on in full', async () => {
      const { owner } = await newWebhook(stack.api);
      const api = apiOf(front.url).as(`Bearer ${owner.token}`);
      const reply = await api.send('PATCH', '/users/@me', { body: { avatar: 'a'.repeat(14 * MiB) } });
      expectError(reply, 400, 'INVALID_FORM_BODY');
    });

    it.each([
      ['a path that the edge accepts', 60_000, 401],
      ['a path that the edge refuses', 70_000, 431],
      ['a path that Envoy refuses', 200_000, 431],
    ])('(%s) gets the edge’s response', async (_, length, status) => {
      const reply = await raw(front.url, request(`GET /api/v1/channels/${'9'.repeat(length)}`));
      expectError(reply, status, status === 431 ? 'REQUEST_HEADER_FIELDS_TOO_LARGE' : 'UNAUTHORIZED');
    });

    it('(a head that does not arrive) is 408', async () => {
      expectError(await raw(other.url, 'GET /api/v1/users/@me HTTP/1.1\r\nHo'), 408, 'REQUEST_TIMEOUT');
    });
  });

  it('Envoy logs no tokens', async () => {
    const before = front.requests().length;
    const planted = await plantTokens(await newWebhook(stack.api), front);
    await until(
      'the access log',
      30_000,
      () => front.requests().length >= before + planted.sent || undefined,
    );
    expect(planted.secrets.filter((secret) => front.log().includes(secret))).toEqual([]);
    expect(front.log()).toContain(planted.request_id);
  });
});
