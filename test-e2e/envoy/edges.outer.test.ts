import { until } from '@gatehouse/dev-env/until';
import type { Change } from '@gatehouse/stack/envoy/configuration';
import { envoyIsMissing, type RunningEnvoy, runEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { raw, request } from '../support/raw.ts';
import { expectResponseRules } from '../support/response-rules.ts';
import {
  dropConnection,
  neverRespond,
  type RecordingEdge,
  respondOk,
  startRecordingEdge,
} from './recording-edge.ts';

/** One route times out after one second, not thirty. */
const IMPATIENT: Change = [
  'match: { path: /api/v1/oauth2/authorize }\n                          route: { cluster: gateway, timeout: 30s }',
  'match: { path: /api/v1/oauth2/authorize }\n                          route: { cluster: gateway, timeout: 1s }',
];

describe.skipIf(envoyIsMissing)('Envoy in front of edges', () => {
  let one: RecordingEdge;
  let two: RecordingEdge;
  let envoy: RunningEnvoy;

  beforeAll(async () => {
    [one, two] = await Promise.all([startRecordingEdge(), startRecordingEdge()]);
    envoy = await runEnvoy({
      file: 'front.yaml',
      addresses: { gateway: [one.address, two.address] },
      changes: [IMPATIENT],
    });
    await envoy.healthy('gateway', 2);
  });
  afterAll(async () => {
    await envoy?.close();
    await Promise.all([one?.close(), two?.close()]);
  });
  beforeEach(() => {
    for (const edge of [one, two]) {
      edge.seen.length = 0;
      edge.answer = respondOk;
    }
  });

  const seen = () => [...one.seen, ...two.seen];
  const bothAnswer = (answer: RecordingEdge['answer']) => {
    one.answer = answer;
    two.answer = answer;
  };
  const send = async (method: string, path: string, headers: Record<string, string> = {}): Promise<Reply> => {
    const body = method === 'POST' ? { body: 'x' } : {};
    const response = await fetch(`${envoy.url}${path}`, { method, headers, ...body });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };

  it('sends a POST to one edge once, and answers 503 if the edge fails', async () => {
    bothAnswer(dropConnection);
    const reply = await send('POST', '/api/v1/guilds', {
      // Headers that only Envoy's own responses may have.
      'x-envoy-retry-on': '5xx,reset',
      'x-envoy-max-retries': '5',
      'x-envoy-retriable-status-codes': '503',
    });
    expectUnavailable(reply);
    expect(seen()).toEqual(['POST /api/v1/guilds']);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('also sends a %s once', async (method) => {
    bothAnswer(dropConnection);
    expectUnavailable(await send(method, '/api/v1/users/@me'));
    expect(seen()).toEqual([`${method} /api/v1/users/@me`]);
  });

  it('retries a GET if the edge died while answering it', async () => {
    one.answer = dropConnection;
    for (let n = 0; n < 4; n++) expect((await send('GET', '/api/v1/users/@me')).status).toBe(200);
    expect(two.seen).toHaveLength(4);
  });

  it.each([
    '/api/v1/oauth2/authorize?client_id=1',
    '/api/v1/auth/ip-authorization/poll?ticket=x',
    '/api/v1/oauth2/%61uthorize?client_id=1',
  ])('does not retry a GET that hands out a one-time value (%s)', async (path) => {
    bothAnswer(dropConnection);
    expectUnavailable(await send('GET', path));
    expect(seen()).toEqual([`GET ${path}`]);
  });

  it.each(['GET', 'POST'])('passes on an edge’s own 503 to a %s unchanged', async (method) => {
    bothAnswer((_, response) => void response.writeHead(503, { 'retry-after': '7' }).end('the edge’s own'));
    const reply = await send(method, '/api/v1/guilds');
    expect([reply.status, reply.text, reply.headers.get('retry-after')]).toEqual([
      503,
      'the edge’s own',
      '7',
    ]);
    expect(seen()).toHaveLength(1);
  });

  it('answers 504 for an edge that does not answer', async () => {
    bothAnswer(neverRespond);
    const reply = await send('GET', '/api/v1/oauth2/authorize');
    expectResponseRules(reply, '504');
    expectError(reply, 504, 'GATEWAY_TIMEOUT');
    expect(seen()).toHaveLength(1);
  });

  it('forwards only the client’s address to the edge, and no Envoy headers from the client', async () => {
    await send('POST', '/api/v1/guilds', {
      'x-forwarded-for': '203.0.113.1, 203.0.113.2',
      'x-envoy-external-address': '203.0.113.3',
      'x-envoy-upstream-rq-timeout-ms': '1',
      'x-request-id': 'mine',
    });
    const edge = one.seen.length > 0 ? one : two;
    const headers = edge.headers();
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(headers['x-request-id']).toBe('mine');
    expect(Object.keys(headers).filter((name) => name.startsWith('x-envoy'))).toEqual([]);
  });

  it('forwards no trace headers from a client', async () => {
    await send('POST', '/api/v1/guilds', {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'vendor=1',
    });
    const edge = one.seen.length > 0 ? one : two;
    expect(Object.keys(edge.headers()).filter((name) => name.startsWith('trace'))).toEqual([]);
  });

  it('lets a draining edge finish, sends it no new requests, and fails no request', async () => {
    let stopped = false;
    const statuses: number[] = [];
    const load = Array.from({ length: 8 }, async (_, n) => {
      while (!stopped) statuses.push((await send(n % 2 === 0 ? 'POST' : 'GET', '/api/v1/guilds')).status);
    });
    await until('both work', 30_000, () => (one.seen.length > 20 && two.seen.length > 20) || undefined);
    two.ready = false;
    await envoy.healthy('gateway', 1);
    const [atOne, atTwo] = [one.seen.length, two.seen.length];
    await until('the other edge continues', 30_000, () => one.seen.length > atOne + 50 || undefined);
    expect(two.seen.length - atTwo, 'except requests that were under way').toBeLessThanOrEqual(8);
    two.ready = true;
    await envoy.healthy('gateway', 2);
    stopped = true;
    await Promise.all(load);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(seen()).toHaveLength(statuses.length);
  });

  it('uses the other edges if one is gone, each request once', async () => {
    await two.close();
    const replies = await Promise.all(Array.from({ length: 40 }, () => send('POST', '/api/v1/guilds')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(one.seen).toHaveLength(40);
    const ejections = 'envoy_cluster_outlier_detection_ejections_enforced_consecutive_local_origin_failure';
    expect(await envoy.metric(ejections, '"gateway"'), 'before a health check has noticed').toBe(1);
  });

  it('answers 503 with Retry-After if there is no edge, with the request’s ID if it is valid', async () => {
    await one.close();
    expectUnavailable(await send('GET', '/api/v1/users/@me'));
    expectUnavailable(await send('POST', '/api/v1/guilds'));
    const idOf = async (id: string) => {
      const reply = await raw(envoy.url, request('GET /api/v1/users/@me', [`X-Request-Id: ${id}`]));
      expectUnavailable(reply);
      return reply.headers.get('x-request-id');
    };
    expect(await idOf('m'.repeat(128))).toBe('m'.repeat(128));
    for (const bad of ['m'.repeat(129), 'm\u00ff', 'a\tb', ''])
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe.skipIf(envoyIsMissing)('Envoy', () => {
  it('closes client connections before it stops, and fails none of their requests', async () => {
    const edge = await startRecordingEdge();
    onTestFinished(() => edge.close());
    const envoy = await runEnvoy({ file: 'front.yaml', addresses: { gateway: [edge.address] } });
    onTestFinished(() => envoy.close());
    await envoy.healthy('gateway', 1);
    const post = async () =>
      (await fetch(`${envoy.url}/api/v1/guilds`, { method: 'POST', body: 'x' })).status;
    const statuses: number[] = [];
    let stopped = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!stopped) statuses.push(await post());
    });
    await until('requests are answered', 30_000, () => statuses.length > 20 || undefined);
    // The procedure in deploy/envoy/README.md.
    const response = await raw(`http://127.0.0.1:${envoy.port(9901)}`, request('POST /healthcheck/fail'), {
      checked: false,
    });
    expect(response.status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${envoy.port(9464)}/readyz`)).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${envoy.port(9464)}/livez`)).status).toBe(200);
    const leaving = await raw(envoy.url, request('GET /api/v1/users/@me'), { checked: false });
    expect([leaving.status, leaving.headers.get('connection')]).toEqual([200, 'close']);
    const then = statuses.length;
    await until('requests are still answered', 30_000, () => statuses.length > then + 20 || undefined);
    stopped = true;
    await Promise.all(load);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

/** The edge's response when a service is unavailable, with every header of its responses. */
function expectUnavailable(reply: Reply): void {
  expectResponseRules(reply, '503');
  expectError(reply, 503, 'SERVICE_UNAVAILABLE');
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(reply.headers.get('content-type')).toBe('application/json');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  expect(reply.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  expect(reply.headers.has('server')).toBe(false);
}
