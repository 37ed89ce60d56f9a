import { faultOf } from '@gatehouse/dev-env/faults';
import { type OtlpReceiver, startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { Fault, Status } from '../../src/fault.ts';
import { createLogger, silentLogger } from '../../src/log.ts';
import { metadataOf } from '../../src/rpc/unary/call-metadata.ts';
import { anonymous } from '../../src/rpc.ts';
import { currentSpan, withSpan } from '../../src/trace/current-span.ts';
import { openTracer } from '../../src/trace/open-tracer.ts';
import type { Tracer } from '../../src/trace/tracer.ts';
import { atEnd, client, start, text } from '../support/echo-service.ts';

interface Traced {
  readonly receiver: OtlpReceiver;
  readonly tracer: Tracer;
}

async function traced(): Promise<Traced> {
  const receiver = await startOtlpReceiver();
  atEnd(() => receiver.close());
  const settings = { headers: {}, resource: {}, sampler: 'always_on', ratio: 1 } as const;
  const tracer = openTracer({
    ...settings,
    endpoint: receiver.url,
    service: 'echo',
    log: silentLogger,
  });
  atEnd(() => tracer.close());
  return { receiver, tracer };
}

describe.each(['stream', 'unary', 'direct'] as const)('calls over %s', (transport) => {
  it('of a traced request have a client span and a server span below it, with their status', async () => {
    const { receiver, tracer } = await traced();
    const raw: string[] = [];
    const log = createLogger({
      name: 'test',
      level: 'debug',
      destination: { write: (line) => raw.push(line) },
    });
    const { address } = await start(
      (request, call) => {
        call.log.info('handling');
        if (request.value === 'refuse')
          throw new Fault({ status: Status.NOT_FOUND, reason: 'NOT_FOUND', message: 'No.' });
        if (request.value === 'throw') throw new Error('unforeseen');
        return text(currentSpan() === undefined ? 'no span' : 'a span');
      },
      { tracer, log },
    );
    const { client: echo } = client(address, transport);
    const options = { timeoutMs: 20_000, requestId: 'r-1' };
    const root = tracer.begin('request', {}, undefined);
    expect(await withSpan(root, () => echo.say(text('x'), options))).toEqual(text('a span'));
    await faultOf(withSpan(root, () => echo.say(text('refuse'), options)));
    await faultOf(withSpan(root, () => echo.say(text('throw'), options)));
    const long = 'x'.repeat(100_000); // too long for a frame
    expect(await withSpan(root, () => echo.again(text(long), options))).toEqual(text('a span'));
    root.end();
    expect(await echo.say(text('x'), options)).toEqual(text('no span'));
    await tracer.close();

    const found = receiver.spans
      .filter(({ kind, name }) => kind === 'server' && name !== 'request')
      .map((server) => {
        const above = receiver.spans.find(({ span_id }) => span_id === server.parent_span_id);
        expect(above).toMatchObject({ kind: 'client', name: server.name, trace_id: root.traceId });
        expect(server.attributes).toMatchObject({ 'rpc.method': server.name, 'gatehouse.request_id': 'r-1' });
        const { 'rpc.response.status_code': status } = server.attributes;
        expect(above?.attributes['rpc.response.status_code']).toBe(status);
        return [server.name, status, above?.failed, server.failed];
      });
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        ['kit.v1.Json/Say', 'OK', false, false],
        ['kit.v1.Json/Say', 'NOT_FOUND', true, false],
        ['kit.v1.Json/Say', 'INTERNAL', true, true],
        ['kit.v1.Json/Again', 'OK', false, false],
      ]),
    );
    const lines = raw.map((line) => JSON.parse(line));
    expect(
      lines.filter(({ msg }) => msg === 'handling' || msg === 'rpc').map(({ trace_id }) => trace_id),
    ).toEqual([...Array.from({ length: 8 }, () => root.traceId), undefined, undefined]);
  });

  it('have none if the traceparent is malformed or not sampled', async () => {
    const { tracer } = await traced();
    const { address } = await start(() => text(currentSpan() === undefined ? 'no span' : 'a span'), {
      tracer,
    });
    const { client: echo } = client(address, transport);
    const root = tracer.begin('request', {}, undefined);
    const trace = root.traceparent.slice(0, -2);
    for (const [traceparent, answer] of [
      [`${trace}00`, 'no span'],
      [`${trace}0x`, 'no span'],
      ['x', 'no span'],
      [`${trace}01`, 'a span'],
    ]) {
      const span = { ...root, traceparent: traceparent ?? '', child: () => span, end: () => undefined };
      expect(await withSpan(span, () => echo.say(text('x'), { timeoutMs: 20_000 }))).toEqual(
        text(answer ?? ''),
      );
    }
    root.end();
  });

  it("with a stream of responses have a span as long as the stream; its handler's work has none", async () => {
    const { receiver, tracer } = await traced();
    const { address } = await start((request) => request, {
      tracer,
      count: async function* () {
        for (let n = 0; n < 3; n++) yield text(currentSpan() === undefined ? 'no span' : 'a span');
      },
    });
    const { client: echo } = client(address, transport);
    const root = tracer.begin('request', {}, undefined);
    await withSpan(root, async () => {
      for await (const { value } of echo.count(text(''))) expect(value).toBe('no span');
    });
    root.end();
    await tracer.close();
    const spans = receiver.spans.filter(({ name }) => name === 'kit.v1.Json/Count');
    expect(spans.map(({ kind, failed }) => [kind, failed]).toSorted()).toEqual([
      ['client', false],
      ['server', false],
    ]);
  });
});

it('an RPC that is not traced carries no traceparent', () => {
  const metadata = metadataOf({ caller: anonymous, requestId: '', traceparent: '' });
  expect(metadata.getMap()).toEqual(new Metadata().getMap());
});
