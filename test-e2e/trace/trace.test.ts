import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { redisIsMissing, type TestRedis, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { type OtlpReceiver, startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import type { ReceivedSpan } from '@gatehouse/dev-env/telemetry/otlp-spans';
import { until } from '@gatehouse/dev-env/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import { type OwnStack, openStack, PROXIED } from '../support/stack.ts';
import { waterfall } from './waterfall.ts';

const PICTURES = new URL('../artifacts/trace/', import.meta.url);
const TRACE_ID = 'c0ffee16cd43dd8448eb211c80319c00';
const SPAN_ID = 'b7ad6b7169203331';
const MESSAGE = { content: 'Build 4711 is out.' };
/** Number of traces, of which the fastest is drawn. */
const PICTURED = 20;

describe('the trace of a webhook execution', () => {
  let receiver: OtlpReceiver;
  let redis: TestRedis | undefined;
  let stack: OwnStack;
  let hook: WebhookFixture;
  let spans: ReceivedSpan[];

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    if (!redisIsMissing) redis = await testRedis();
    stack = await openStack({
      ...PROXIED,
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      ...(redis && { REDIS_URL: redis.url }),
    });
    hook = await newWebhook(stack.api);
    const traced = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`, 'x-request-id': 'the-traced-one' };
    // The first execution opens connections, plans statements and compiles code.
    const first = await stack.api.post(`${hook.path}?wait=true`, { content: 'Build 4710 is out.' });
    expect(first.status, first.text).toBe(200);
    const answer = await stack.api.post(`${hook.path}?wait=true`, MESSAGE, traced);
    expect(answer.status, answer.text).toBe(200);
    await until('the whole trace', 30_000, () => isWhole(receiver.spans) || undefined);
    spans = [...receiver.spans];
  });
  afterAll(async () => {
    await stack?.close();
    await redis?.close();
    await receiver?.close();
  });

  /** Whether the spans of all processes have arrived. Each process exports once a second. */
  function isWhole(received: readonly ReceivedSpan[]): boolean {
    const parents = new Set(received.map(({ parent_span_id }) => parent_span_id));
    const calls = received.filter(({ kind, attributes }) => kind === 'client' && 'rpc.method' in attributes);
    return parents.has(SPAN_ID) && calls.length > 0 && calls.every(({ span_id }) => parents.has(span_id));
  }

  /** Traces `many` executions, one after another. */
  async function traceMore(many: number): Promise<(readonly ReceivedSpan[])[]> {
    const ids = Array.from({ length: many }, (_, index) => TRACE_ID.slice(0, -2) + (index + 16).toString(16));
    for (const id of ids)
      await stack.api.post(`${hook.path}?wait=true`, MESSAGE, { traceparent: `00-${id}-${SPAN_ID}-01` });
    const traceOf = (id: string) => receiver.spans.filter(({ trace_id }) => trace_id === id);
    await until('the whole traces', 30_000, () => ids.map(traceOf).every(isWhole) || undefined);
    return ids.map(traceOf);
  }

  it('continues the client’s trace; no other request is traced', () => {
    expect(new Set(spans.map(({ trace_id }) => trace_id))).toEqual(new Set([TRACE_ID]));
  });

  it('goes from the edge through each service to SQL as one tree', () => {
    const ids = new Set(spans.map(({ span_id }) => span_id));
    const roots = spans.filter(({ parent_span_id }) => !ids.has(parent_span_id));
    expect(roots).toMatchObject([
      {
        service: 'gateway',
        kind: 'server',
        parent_span_id: SPAN_ID,
        name: 'POST /webhooks/{webhook_id}/{token}',
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/webhooks/{webhook_id}/{token}',
          'http.response.status_code': '200',
          'gatehouse.request_id': 'the-traced-one',
          'url.scheme': 'http',
        },
      },
    ]);
    const services = new Set(spans.map(({ service }) => service));
    expect([...services].toSorted()).toEqual(
      expect.arrayContaining(['chat', 'gateway', 'ratelimit', 'webhook-delivery']),
    );
    for (const service of ['webhook-delivery', 'chat'])
      expect(spans, `SQL of ${service}`).toContainEqual(
        expect.objectContaining({
          service,
          kind: 'client',
          attributes: expect.objectContaining({ 'db.system.name': 'postgresql' }),
        }),
      );
    expect(spans.filter(({ failed }) => failed)).toEqual([]);
  });

  it('has a client span and a server span for each call, one inside the other', () => {
    const calls = spans.filter(({ attributes, kind }) => kind === 'server' && 'rpc.method' in attributes);
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const server of calls) {
      const client = spans.find(({ span_id }) => span_id === server.parent_span_id);
      expect(client).toMatchObject({ kind: 'client', name: server.name });
      expect(client?.service).not.toBe(server.service);
      expect(server.attributes).toMatchObject({
        'rpc.system.name': 'grpc',
        'rpc.response.status_code': 'OK',
        'gatehouse.request_id': 'the-traced-one',
      });
      expect(Number(server.start_ns - (client?.start_ns ?? 0n)) / 1e6).toBeGreaterThan(-1);
      expect(Number((client?.end_ns ?? 0n) - server.end_ns) / 1e6).toBeGreaterThan(-1);
    }
  });

  it.skipIf(redisIsMissing)('has a span for the Redis batch', () => {
    const redisSpans = spans.filter(({ attributes }) => attributes['db.system.name'] === 'redis');
    expect(redisSpans).toMatchObject([
      { service: 'ratelimit', name: 'EVALSHA decide', attributes: { 'gatehouse.batch.size': '1' } },
    ]);
  });

  it('has its ID in the request’s log lines', async () => {
    for (const name of ['gateway', 'ratelimit', 'webhook-delivery', 'chat']) {
      const file = join(stack.data_dir, 'logs', `${name}.log`);
      await expect.poll(() => readFile(file, 'utf8')).toContain(`"trace_id":"${TRACE_ID}"`);
    }
  });

  it('can be drawn', async () => {
    const fastest = (await traceMore(PICTURED)).toSorted(
      (one, other) => durationOf(one) - durationOf(other),
    )[0];
    const picture = waterfall('A webhook execution, between processes over call streams', fastest ?? []);
    await mkdir(PICTURES, { recursive: true });
    await writeFile(fileURLToPath(new URL('webhook-execution.svg', PICTURES)), picture);
    expect(picture.match(/ ms<\/text>/g)?.length).toBeGreaterThan(fastest?.length ?? 0);
    expect(fastest?.length).toBe(spans.length);
  });
});

function durationOf(trace: readonly ReceivedSpan[]): number {
  const edge = trace.find(({ parent_span_id }) => parent_span_id === SPAN_ID);
  return edge === undefined ? Number.POSITIVE_INFINITY : Number(edge.end_ns - edge.start_ns);
}
