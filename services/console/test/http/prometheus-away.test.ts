import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { commandOf, type Visitor } from '../visitor.ts';

const PASSWORD = 'only-prometheus-knows';

let answer: RequestListener;
let requests: IncomingMessage[] = [];
let server: Server;
let service: ConsoleUnderTest;
let command: Visitor;
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const prometheus_url = `http://reader:${PASSWORD}@127.0.0.1:${port}/prometheus/`;
  service = await startConsole('console_prometheus_away', { prometheus_url });
  command = await commandOf(service, 'reader', 'read');
});
beforeEach(() => {
  requests = [];
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await service.close();
});

const json =
  (status: number, body: unknown): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const matrix = (result: unknown) => json(200, { status: 'success', data: { resultType: 'matrix', result } });

const PROBLEMS: readonly [what: string, answer: RequestListener, reason: string][] = [
  [
    '500 with a page',
    (_, response) => response.writeHead(500).end('<h1>Oops</h1>'),
    'it answers 500, and not with JSON',
  ],
  [
    'an error of its own',
    json(422, { status: 'error', errorType: 'execution', error: `query timed out ${'x'.repeat(1_000)}` }),
    `it refuses the query: query timed out ${'x'.repeat(184)}`,
  ],
  ['no text', (_, response) => response.end(), 'it answers 200, and not with JSON'],
  ['a page', (_, response) => response.end('<!doctype html>'), 'it answers 200, and not with JSON'],
  [
    'half of an answer',
    (_, response) => response.end('{"status":"succ'),
    'it answers 200, and not with JSON',
  ],
  ['JSON of something else', json(200, { hello: 'you' }), 'it is no Prometheus'],
  ['null', json(200, null), 'it is no Prometheus'],
  ['success without data', json(200, { status: 'success' }), 'it answers with something else than series'],
  [
    'a vector',
    json(200, { status: 'success', data: { resultType: 'vector', result: [] } }),
    'it answers with something else than series',
  ],
  [
    'a redirect to elsewhere',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'unexpected redirect',
  ],
  ['a closed connection', (request) => request.socket.destroy(), 'other side closed'],
  [
    '20 MB',
    (_, response) => response.end('x'.repeat(20_000_000)),
    'it answers with more than 16777216 bytes',
  ],
  ['nothing', () => undefined, 'it takes longer than 5 s'],
  ['no end', (_, response) => void response.write('{"status":'), 'it takes longer than 5 s'],
];

interface Overview {
  readonly notices: readonly string[];
  readonly replicas: readonly object[];
  readonly times: readonly number[];
  readonly requests: readonly (number | null)[];
  readonly denied: object;
}

describe('a Prometheus that answers', () => {
  it.each(PROBLEMS)('%s is a notice of the page, which has all else', async (_, wrong, reason) => {
    answer = wrong;
    const { status, body, text } = await command.get<Overview>('/api/overview?window=6h');
    expect(status).toBe(200);
    expect(body.notices).toEqual([
      expect.stringMatching(/^Prometheus at 127\.0\.0\.1:\d+ \(PROMETHEUS_URL\) does not answer: /),
    ]);
    expect(body.notices[0]).toContain(`does not answer: ${reason}`);
    expect(body).toMatchObject({ prometheus: true, times: [], requests: [], latency: {} });
    expect(body.replicas.length).toBeGreaterThan(0);
    expect(text + service.log.join('')).not.toContain(PASSWORD);
    const hour = await command.get<Overview>('/api/overview');
    expect([hour.status, hour.body.notices.some((notice) => notice.includes('PROMETHEUS_URL'))]).toEqual([
      200,
      false,
    ]);
  });

  it.each([
    ['no series', []],
    [
      'series without values',
      [{}, null, { metric: null, values: null }, { metric: [], values: [null, 1, []] }],
    ],
    [
      'values that are no numbers',
      [
        {
          metric: { bucket: 'a' },
          values: [
            [0, 'x'],
            ['y', '1'],
          ],
        },
      ],
    ],
  ])('%s fills the window with nothing', async (_, result) => {
    answer = matrix(result);
    const { status, body } = await command.get<Overview>('/api/overview?window=7d');
    expect([status, body.notices]).toEqual([200, []]);
    expect([body.times.length, new Set(body.requests)]).toEqual([360, new Set([null])]);
    expect(body.denied).toEqual({});
  });
});

it('the queries go to its path, with its user and password in a header', async () => {
  answer = matrix([]);
  await command.get('/api/overview?window=1d');
  expect(requests.length).toBe(5);
  for (const { url = '', headers } of requests) {
    expect(url.startsWith('/prometheus/api/v1/query_range?query=')).toBe(true);
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`reader:${PASSWORD}`).toString('base64')}`);
  }
});

it('a Prometheus that is away is a notice', async () => {
  const other = await startConsole('console_no_prometheus', { prometheus_url: 'http://127.0.0.1:2' });
  try {
    const page = await (await commandOf(other, 'reader', 'read')).get('/api/overview?window=6h');
    expect(page.status).toBe(200);
    expect(page.body.notices).toEqual([
      'Prometheus at 127.0.0.1:2 (PROMETHEUS_URL) does not answer: connect ECONNREFUSED 127.0.0.1:2.',
    ]);
  } finally {
    await other.close();
  }
});
