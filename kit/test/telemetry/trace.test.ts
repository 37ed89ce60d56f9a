import { setTimeout as sleep } from 'node:timers/promises';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { type OtlpReceiver, startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, readEnv } from '../../src/env.ts';
import { createLogger, type Logger, silentLogger } from '../../src/log.ts';
import { batcher } from '../../src/queues/batch.ts';
import { collectGarbage } from '../../src/system/garbage.ts';
import { currentSpan, traced, withSpan } from '../../src/trace/current-span.ts';
import { openTracer } from '../../src/trace/open-tracer.ts';
import { requestSampler, type SamplerName } from '../../src/trace/sampling.ts';
import { readTraceConfig } from '../../src/trace/trace-config.ts';
import { readTraceparent } from '../../src/trace/traceparent.ts';
import type { Tracer } from '../../src/trace/tracer.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const PARENT = { traceId: TRACE_ID, spanId: SPAN_ID, sampled: true };

describe('a traceparent', () => {
  test.each([
    [`00-${TRACE_ID}-${SPAN_ID}-01`, true],
    [`00-${TRACE_ID}-${SPAN_ID}-00`, false],
    [`00-${TRACE_ID}-${SPAN_ID}-03`, true],
    [`cc-${TRACE_ID}-${SPAN_ID}-01-what-comes-later`, true],
  ])('%s is read', (text, sampled) => {
    expect(readTraceparent(text)).toEqual({ ...PARENT, sampled });
  });

  test.each([
    ['', 'nothing'],
    [`00-${TRACE_ID}-${SPAN_ID}`, 'no flags'],
    [`00-${TRACE_ID}-${SPAN_ID}-01-more`, 'more than version 00 has'],
    [`ff-${TRACE_ID}-${SPAN_ID}-01`, 'no version'],
    [`00-${'0'.repeat(32)}-${SPAN_ID}-01`, 'no trace'],
    [`00-${TRACE_ID}-${'0'.repeat(16)}-01`, 'no span'],
    [`00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`, 'capitals'],
    [`00-${TRACE_ID}-${SPAN_ID}-01, 00-${TRACE_ID}-${SPAN_ID}-01`, 'two of them'],
    [`cc-${TRACE_ID}-${SPAN_ID}-01-${'x'.repeat(1000)}`, 'endless'],
    [`00-${TRACE_ID}-${SPAN_ID}-0g`, 'no hex'],
  ])('%j is malformed: %s', (text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});

describe('the sampler', () => {
  const share = (sampler: SamplerName, ratio: number, sampled?: boolean): number => {
    const samples = requestSampler({ sampler, ratio });
    const parent = sampled === undefined ? undefined : { ...PARENT, sampled };
    return Array.from({ length: 4000 }, () => samples(parent)).filter(Boolean).length / 4000;
  };

  test.each<[SamplerName, number, number, number]>([
    ['always_on', 1, 1, 1],
    ['always_off', 0, 0, 0],
    ['parentbased_always_on', 1, 1, 0],
    ['parentbased_always_off', 0, 1, 0],
  ])(
    '%s samples a share of %d without a parent, %d with a sampled parent, %d with one that is not',
    (sampler, ...shares) => {
      expect([share(sampler, 0.5), share(sampler, 0.5, true), share(sampler, 0.5, false)]).toEqual(shares);
    },
  );

  test('a ratio samples a share of the requests, whatever their trace IDs', () => {
    expect(share('traceidratio', 0.25)).toBeCloseTo(0.25, 1);
    expect(share('traceidratio', 0.25, true)).toBeCloseTo(0.25, 1);
    expect(share('parentbased_traceidratio', 0.25)).toBeCloseTo(0.25, 1);
    expect(share('parentbased_traceidratio', 0.25, true)).toBe(1);
    expect(share('traceidratio', 0)).toBe(0);
    expect(share('traceidratio', 1)).toBe(1);
  });
});

describe('the settings', () => {
  const config = (env: Record<string, string>) => readEnv(env, readTraceConfig);
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://receiver.internal:4318/otlp/';

  test('without an endpoint nothing is traced', () => {
    expect(config({ OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
  });

  test('headers and resource are lists of pairs, percent-encoded', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20eA==, x-tenant=one',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    };
    expect(config(env)).toEqual({
      endpoint: 'https://receiver.internal:4318/otlp',
      headers: { authorization: 'Basic eA==', 'x-tenant': 'one' },
      resource: { 'deployment.environment.name': 'test' },
      sampler: 'parentbased_traceidratio',
      ratio: 0.01,
    });
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'receiver:4318' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'novalue' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_RESOURCE_ATTRIBUTES: 'a=%zz' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'jaeger_remote' }],
    [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }],
  ])('%j is refused', (env) => {
    expect(() => config(env)).toThrow(ConfigError);
  });
});

function tracerTo(endpoint: string, log: Logger = silentLogger): Tracer {
  const tracer = openTracer({
    endpoint,
    headers: { 'x-tenant': 'one' },
    resource: { 'deployment.environment.name': 'test' },
    sampler: 'always_on',
    ratio: 1,
    service: 'kit',
    log,
  });
  onTestFinished(() => tracer.close());
  return tracer;
}

async function receiver(): Promise<OtlpReceiver> {
  const opened = await startOtlpReceiver();
  onTestFinished(() => opened.close());
  return opened;
}

const named = ({ spans }: OtlpReceiver) => new Map(spans.map((span) => [span.name, span]));

describe('spans', () => {
  test('are sent with their parents, attributes, failures and resource', async () => {
    const to = await receiver();
    const tracer = tracerTo(to.url);
    const span = tracer.begin('GET /x', { 'http.route': '/x' }, PARENT);
    await withSpan(span, () => traced('work', 'internal', { many: 3 }, () => sleep(20)));
    const failing = withSpan(span, () =>
      traced('failing', 'client', {}, () => Promise.reject(new TypeError('a secret in a message'))),
    );
    await expect(failing).rejects.toThrow('secret');
    span.set('http.response.status_code', 500);
    span.fail('500');
    span.end();
    await tracer.close();

    const spans = named(to);
    const root = spans.get('GET /x');
    expect(root).toMatchObject({
      service: 'kit',
      trace_id: TRACE_ID,
      parent_span_id: SPAN_ID,
      kind: 'server',
      failed: true,
      attributes: { 'http.route': '/x', 'http.response.status_code': '500', 'error.type': '500' },
      resource: { 'service.name': 'kit', 'deployment.environment.name': 'test' },
    });
    expect(span.traceparent).toBe(`00-${TRACE_ID}-${root?.span_id}-01`);
    const below = { trace_id: TRACE_ID, parent_span_id: root?.span_id };
    expect(spans.get('work')).toMatchObject({
      ...below,
      kind: 'internal',
      attributes: { many: '3' },
      failed: false,
    });
    expect(spans.get('failing')).toMatchObject({
      ...below,
      kind: 'client',
      attributes: { 'error.type': 'TypeError' },
    });
    const work = spans.get('work');
    expect(Number((work?.end_ns ?? 0n) - (work?.start_ns ?? 0n)) / 1e6).toBeGreaterThan(18);
    expect(work?.start_ns).toBeGreaterThanOrEqual(root?.start_ns ?? 0n);
    expect(work?.end_ns).toBeLessThanOrEqual(root?.end_ns ?? 0n);
    expect(to.headers[0]).toMatchObject({ 'x-tenant': 'one', 'content-type': 'application/x-protobuf' });
    expect(tracer.counts()).toEqual({ ended: 3, sent: 3, lost: 0 });
  });

  test('are not recorded for background work after the answer', async () => {
    const tracer = tracerTo((await receiver()).url);
    const span = tracer.begin('GET /x', {}, undefined);
    const later = Promise.withResolvers<void>();
    const background = withSpan(span, async () => {
      expect(currentSpan()).toBe(span);
      await later.promise;
      return currentSpan();
    });
    span.end();
    later.resolve();
    expect(await background).toBeUndefined();
    expect(currentSpan()).toBeUndefined();
  });

  test('are limited to a thousand per request', async () => {
    const tracer = tracerTo((await receiver()).url);
    const span = tracer.begin('GET /x', {}, undefined);
    for (let i = 0; i < 3000; i++)
      await withSpan(span, () => traced('one', 'internal', {}, async () => undefined));
    span.end();
    expect(tracer.counts().ended).toBe(1001);
  });

  test('have limited texts and links', async () => {
    const to = await receiver();
    const tracer = tracerTo(to.url);
    const span = tracer.begin('GET /x', { from_the_start: 'x'.repeat(1_000) }, undefined);
    span.set('later', 'x'.repeat(1_000));
    for (let i = 0; i < 100; i++) span.link(tracer.begin('other', {}, undefined));
    span.end();
    await tracer.close();
    const sent = named(to).get('GET /x');
    expect(Object.values(sent?.attributes ?? {}).map(({ length }) => length)).toEqual([256, 256]);
    expect(sent?.links).toHaveLength(64);
  });

  test('of a batch are below its first traced caller and linked with the others', async () => {
    const to = await receiver();
    const tracer = tracerTo(to.url);
    const roots = ['one', 'two'].map((name) => tracer.begin(name, {}, undefined));
    const ask = batcher<number, number>({
      name: 'double',
      run: async (items) => {
        await traced('work', 'client', {}, () => sleep(5));
        return items.map((item) => item * 2);
      },
    });
    const answers = [undefined, ...roots].map((root, item) => withSpan(root, () => ask(item)));
    expect(await Promise.all(answers)).toEqual([0, 2, 4]);
    for (const root of roots) root.end();
    await tracer.close();

    const batches = to.spans.filter(({ name }) => name === 'batch double');
    const work = named(to).get('work');
    const [first, second] = roots.map((root) => batches.find(({ trace_id }) => trace_id === root.traceId));
    expect(work).toMatchObject({ trace_id: first?.trace_id, parent_span_id: first?.span_id });
    expect(second?.links).toEqual([`${first?.trace_id} ${first?.span_id}`]);
    expect(first?.links).toEqual([`${second?.trace_id} ${second?.span_id}`]);
    for (const batch of [first, second]) expect(batch?.attributes['gatehouse.batch.size']).toBe('3');
    expect(batches).toHaveLength(2);
  });

  test('of a batch without a traced caller do not exist, though a traced call sent it', async () => {
    const to = await receiver();
    const tracer = tracerTo(to.url);
    const root = tracer.begin('traced', {}, undefined);
    const seen: unknown[] = [];
    const out: (() => void)[] = [];
    const ask = batcher<string, string>({
      maxInFlight: 1,
      run: async (items) => {
        seen.push(currentSpan());
        await new Promise<void>((resolve) => out.push(resolve));
        return items;
      },
    });
    const first = withSpan(root, () => ask('traced'));
    await expect.poll(() => out).toHaveLength(1);
    const second = ask('not traced');
    out[0]?.();
    await first;
    await expect.poll(() => out).toHaveLength(2);
    out[1]?.();
    await second;
    expect(seen).toEqual([expect.anything(), undefined]);
    root.end();
  });
});

/** Maximum spans that wait to be sent. */
const MAX_WAITING_SPANS = 4_096;

describe('a receiver', () => {
  test('that is overloaded is retried, and refused spans are lost', async () => {
    const statuses = [503, 429, 200, 400];
    const answered: number[] = [];
    const slow = await startOtlpReceiver({
      answer: (response) => {
        const status = statuses[answered.length] ?? 200;
        answered.push(status);
        response.writeHead(status).end();
      },
    });
    onTestFinished(() => slow.close());
    const tracer = tracerTo(slow.url);
    tracer.begin('accepted in the end', {}, undefined).end();
    await expect.poll(() => tracer.counts()).toEqual({ ended: 1, sent: 1, lost: 0 });
    tracer.begin('refused', {}, undefined).end();
    await expect.poll(() => tracer.counts()).toEqual({ ended: 2, sent: 1, lost: 1 });
    expect(answered).toEqual(statuses);
  });

  test('that is down for longer than the exporter retries gets the spans once it is back', async () => {
    let requests = 0;
    const to = await startOtlpReceiver({
      answer: (response) => {
        requests++;
        if (requests === 1) response.writeHead(503, { 'retry-after': '3600' }).end();
        else response.writeHead(200).end();
      },
    });
    onTestFinished(() => to.close());
    const tracer = tracerTo(to.url);
    tracer.begin('accepted in the end', {}, undefined).end();
    await expect.poll(() => tracer.counts()).toEqual({ ended: 1, sent: 1, lost: 0 });
    expect(requests).toBe(2);
  });

  test('that refuses some spans still gets the others', async () => {
    const statuses = [400, 200, 400];
    let requests = 0;
    const to = await startOtlpReceiver({
      answer: (response) => response.writeHead(statuses[requests++] ?? 200).end(),
    });
    onTestFinished(() => to.close());
    const tracer = tracerTo(to.url);
    for (let i = 0; i < 4 * 512; i++) tracer.begin('one', {}, undefined).end();
    await expect.poll(() => tracer.counts()).toEqual({ ended: 2_048, sent: 1_024, lost: 1_024 });
  });

  test('gets all spans, even more than one export request holds', async () => {
    const to = await receiver();
    const tracer = tracerTo(to.url);
    for (let i = 0; i < 3_000; i++) tracer.begin('one', { i }, undefined).end();
    await expect.poll(() => tracer.counts()).toEqual({ ended: 3_000, sent: 3_000, lost: 0 });
    expect(new Set(to.spans.map(({ attributes }) => attributes.i)).size).toBe(3_000);
  });

  test.each([
    ['that is away', 'http://127.0.0.1:9'],
    ['that answers nothing', undefined],
  ])('%s costs only its spans, a log line, and a second at shutdown', async (_, url) => {
    const silent = await startOtlpReceiver({ answer: () => undefined });
    onTestFinished(() => silent.close());
    const lines: string[] = [];
    const log = createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } });
    const tracer = tracerTo(url ?? silent.url, log);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 60_000; i++) tracer.begin(`GET /${i}`, { 'http.route': '/x' }, undefined).end();
    expect(tracer.counts()).toEqual({ ended: 60_000, sent: 0, lost: 60_000 - MAX_WAITING_SPANS });
    collectGarbage();
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(100);
    const took_ms = processStopwatch();
    await tracer.close();
    expect(took_ms()).toBeLessThan(2_500);
    expect(lines.length).toBeLessThanOrEqual(1);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ level: 40, msg: 'spans could not be sent' });
  });
});
