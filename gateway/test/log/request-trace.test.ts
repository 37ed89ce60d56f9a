import { type OtlpReceiver, startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const SAMPLED = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` };
const NOT_SAMPLED = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` };
const REQUESTS = 3_000;
const AT_ONCE = 50;

interface Traced {
  readonly edge: Edge;
  readonly receiver: OtlpReceiver;
  /** The edge's own spans of requests. */
  roots(): readonly OtlpReceiver['spans'][number][];
}

function useTracedEdge(
  sampler: 'always_on' | 'parentbased_traceidratio',
  ratio: number,
  trusted: string[],
): Traced {
  const traced = {} as { edge: Edge; receiver: OtlpReceiver };
  beforeAll(async () => {
    traced.receiver = await startOtlpReceiver();
    const traces = { endpoint: traced.receiver.url, headers: {}, resource: {}, sampler, ratio };
    traced.edge = await startEdge({ config: { traces, trusted_proxies: trusted } });
  });
  afterAll(async () => {
    await traced.edge.close();
    await traced.receiver.close();
  });
  return Object.assign(traced, {
    roots: () =>
      traced.receiver.spans.filter(({ service, kind }) => service === 'gateway' && kind === 'server'),
  });
}

describe('an edge that samples every request', () => {
  const traced = useTracedEdge('always_on', 1, []);
  const rootOf = async (line: string, headers: Record<string, string>) => {
    const answer = await traced.edge.send(line, { headers });
    const id = answer.headers.get('x-request-id');
    const found = () => traced.roots().find(({ attributes }) => attributes['gatehouse.request_id'] === id);
    await expect.poll(found).toBeDefined();
    return found();
  };

  it('names a span by the pattern of its route, without the path', async () => {
    const root = await rootOf('GET /auth/reset/s3cret?token=s3cret', {});
    expect(root).toMatchObject({
      name: 'GET /auth/reset/{token}',
      parent_span_id: '',
      failed: false,
      attributes: { 'http.route': '/auth/reset/{token}', 'http.response.status_code': '200' },
    });
    expect(Object.values(root?.attributes ?? {}).join(' ')).not.toContain('s3cret');
    const line = traced.edge.log
      .map((line) => JSON.parse(line))
      .find(({ trace_id }) => trace_id === root?.trace_id);
    expect(line).toMatchObject({ route: '/auth/reset/{token}', status: 200 });
  });

  it('has spans for unmatched and failed requests, and for their calls', async () => {
    expect(await rootOf('POST /no/such/route', {})).toMatchObject({
      name: 'POST',
      attributes: { 'http.response.status_code': '404' },
    });
    traced.edge.peers.answers.chat = {
      getGuild: () => {
        throw new Error('the database is on fire');
      },
    };
    const failed = await rootOf('GET /guilds/11', { authorization: `Bearer ${SESSION}` });
    traced.edge.peers.reset();
    expect(failed).toMatchObject({ failed: true, attributes: { 'error.type': '500' } });
    const calls = traced.receiver.spans.filter(
      ({ trace_id, kind }) => trace_id === failed?.trace_id && kind === 'client',
    );
    expect(calls.map(({ name, failed }) => [name, failed]).toSorted()).toEqual([
      ['gatehouse.auth.v1.AuthService/Identify', false],
      ['gatehouse.chat.v1.ChatService/GetGuild', true],
      ['gatehouse.ratelimit.v1.RatelimitService/Check', false],
    ]);
  });

  it('continues a client’s trace, whatever its sampled flag', async () => {
    for (const headers of [SAMPLED, NOT_SAMPLED])
      expect(await rootOf('GET /auth/reset/tok', headers)).toMatchObject({
        trace_id: TRACE_ID,
        parent_span_id: SPAN_ID,
      });
  });

  it.each(['x', `00-${'0'.repeat(32)}-${SPAN_ID}-01`, `00-${TRACE_ID}-${SPAN_ID}-01-x`])(
    'begins a trace of its own if traceparent is %s',
    async (traceparent) => {
      const root = await rootOf('GET /auth/reset/tok', { traceparent });
      expect(root?.parent_span_id).toBe('');
      expect(root?.trace_id).not.toBe(TRACE_ID);
    },
  );
});

describe('an edge that samples one in a hundred', () => {
  const traced = useTracedEdge('parentbased_traceidratio', 0.01, []);

  it('samples one in a hundred even if all clients set the sampled flag and name one trace', async () => {
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, () => traced.edge.send('GET /auth/reset/tok', { headers: SAMPLED })),
      );
    const sampled = traced.edge.log.filter((line) => line.includes('"trace_id"')).length;
    // 30 are expected: fewer than one run in a million is beyond these bounds.
    expect(sampled).toBeGreaterThan(6);
    expect(sampled).toBeLessThan(70);
    await expect.poll(() => traced.roots().length).toBe(sampled);
  });
});

describe('an edge behind a proxy that it trusts', () => {
  const traced = useTracedEdge('parentbased_traceidratio', 0, ['127.0.0.1/32']);

  it('samples exactly the requests that the proxy sampled', async () => {
    for (const headers of [NOT_SAMPLED, {}, SAMPLED])
      await traced.edge.send('GET /auth/reset/tok', { headers });
    await expect.poll(() => traced.roots()).toMatchObject([{ trace_id: TRACE_ID, parent_span_id: SPAN_ID }]);
    expect(traced.edge.log.filter((line) => line.includes('"trace_id"'))).toHaveLength(1);
  });
});
