import { freePort } from '@gatehouse/dev-env/free-port';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REFUSAL_REASONS } from '../../src/overload/refusals.ts';
import { type Edge, startEdge } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';
import { request, wire } from '../support/wire.ts';

const EMAIL = 'planted.person@example.com';

describe('the edge’s metrics of limits', () => {
  let edge: Edge;
  let url: string;
  beforeAll(async () => {
    const metrics_listen = `127.0.0.1:${await freePort()}`;
    url = `http://${metrics_listen}/metrics`;
    edge = await startEdge({ config: { metrics_listen, log_level: 'trace', ratelimit_timeout_ms: 2_000 } });
  });
  beforeEach(() => edge.peers.reset());
  afterAll(() => edge.close());

  const text = async () => (await fetch(url)).text();

  /** A series' value, such as of `gateway_limit_denials_total{bucket="global"}`. */
  async function value(series: string): Promise<number | undefined> {
    const line = (await text()).split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length));
  }

  it('count checks, denials and remembered denials', async () => {
    const wait = { retry_after_us: 60_000_000, empty_after_us: 60_000_000 };
    await edge.send('POST /webhooks/1/tok');
    edge.peers.denial = { bucket: 'webhook:execute', limit: 60, ...wait };
    for (let n = 0; n < 3; n++) await edge.send('POST /webhooks/1/tok');
    expect(await value('gateway_limit_checks_total')).toBe(4);
    expect(await value('gateway_limit_remembered_total')).toBe(2);
    expect(await value('gateway_limit_denials_total{bucket="webhook:execute"}')).toBe(3);
    expect(await value('gateway_limit_remembered_denials')).toBe(1);
    expect(await value('gateway_limit_local_total')).toBe(0);
    expect(await value('gateway_limit_alone')).toBe(0);
  });

  it('count ratelimit’s decisions without its store', async () => {
    edge.peers.answers.ratelimit = { check: () => ({ denial: null, degraded: true }) };
    await edge.send('POST /webhooks/2/tok');
    expect(await value('gateway_limit_degraded_total')).toBe(1);
  });

  it('name no caller, nor does the log, with ratelimit and without it', async () => {
    const login = () => edge.send('POST /auth/login', { body: { email: EMAIL, password: 'x' } });
    const wait = { retry_after_us: 60_000_000, empty_after_us: 60_000_000 };
    edge.peers.denial = { bucket: 'auth:login:email', limit: 5, ...wait };
    expect((await login()).status).toBe(429);
    edge.peers.reset();
    await edge.peers.stop('ratelimit');
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await login()).status);
    expect(statuses).toContain(429);
    await edge.send('GET /guilds/7', { headers: { authorization: `Bearer ${SESSION}` } });
    // The breaker opens only after the timeout of a call since its last answer.
    const aloneAfterOneMore = async () => {
      statuses.push((await login()).status);
      return value('gateway_limit_alone');
    };
    await expect.poll(aloneAfterOneMore, { interval: 10 }).toBe(1);
    expect(await value('gateway_limit_local_total')).toBe(statuses.length + 1);
    for (const written of [await text(), edge.log.join('')])
      expect(written).not.toMatch(/planted|127\.0\.0\.1\b(?!:)|credential:|account:|gth_/);
  });
});

describe('the edge’s metrics of its bounds', () => {
  let edge: Edge;
  let url: string;
  beforeAll(async () => {
    const metrics_listen = `127.0.0.1:${await freePort()}`;
    url = `http://${metrics_listen}/metrics`;
    edge = await startEdge({ config: { metrics_listen } });
  });
  afterAll(() => edge.close());

  async function values(): Promise<Map<string, number>> {
    const text = await (await fetch(url)).text();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    );
  }

  it('have a series for each bound, and for each reason to refuse', async () => {
    const found = await values();
    for (const name of [
      'connections',
      'requests_under_way',
      'short_body_bytes',
      'long_body_bytes',
      'long_bodies_waiting',
      'head_bytes',
      'unsent_bytes',
      'heap_share',
    ])
      expect(found.has(`gateway_${name}`), name).toBe(true);
    for (const reason of REFUSAL_REASONS)
      expect(found.get(`gateway_refused_total{reason="${reason}"}`)).toBe(0);
  });

  it('follow the use of each bound', async () => {
    const connection = await wire(edge);
    connection.write(`${request('POST /webhooks/41/tok', ['Content-Length: 60000'])}${' '.repeat(40_000)}`);
    await expect.poll(async () => (await values()).get('gateway_short_body_bytes')).toBeGreaterThan(40_000);
    const now = await values();
    expect(now.get('gateway_connections')).toBe(1);
    expect(now.get('gateway_requests_under_way')).toBe(1);
    connection.destroy();
    await expect.poll(async () => (await values()).get('gateway_short_body_bytes')).toBe(0);
    expect((await values()).get('gateway_requests_under_way')).toBe(0);
  });
});
