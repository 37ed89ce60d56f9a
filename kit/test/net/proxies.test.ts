import { setGlobalProxyFromEnv } from 'node:http';
import { createServer } from 'node:net';
import { startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from '../../src/log.ts';
import { openTracer } from '../../src/trace/open-tracer.ts';
import { client, start, text } from '../support/echo-service.ts';
import { LOOPBACK } from '../support/loopback.ts';

let connections = 0;
const proxy = createServer((socket) => {
  connections++;
  socket.destroy();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, LOOPBACK, resolve));
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : 0;
  for (const name of ['grpc_proxy', 'http_proxy', 'https_proxy', 'all_proxy'])
    for (const variable of [name, name.toUpperCase()])
      vi.stubEnv(variable, `http://user:secret@${LOOPBACK}:${port}`);
  for (const variable of ['no_proxy', 'NO_PROXY', 'no_grpc_proxy', 'NO_GRPC_PROXY'])
    vi.stubEnv(variable, undefined);
});
afterAll(() => {
  vi.unstubAllEnvs();
  proxy.close();
});

it.each(['stream', 'unary'] as const)(
  'a %s call goes directly to its service, whatever proxies are set',
  async (transport) => {
    const server = await start((request) => request, {
      count: async function* (request) {
        yield request;
      },
    });
    const echo = client(server.address, transport);
    expect(await echo.client.say(text('here'), { timeoutMs: 10_000 })).toEqual(text('here'));
    for await (const response of echo.client.count(text('streamed')))
      expect(response).toEqual(text('streamed'));
    expect(connections).toBe(0);
  },
);

it('traces go directly to their receiver, even if Node.js is configured to use proxies', async () => {
  onTestFinished(setGlobalProxyFromEnv());
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver.close());
  const tracer = openTracer({
    endpoint: receiver.url,
    headers: {},
    resource: {},
    sampler: 'always_on',
    ratio: 1,
    service: 'kit',
    log: silentLogger,
  });
  tracer.begin('GET /x', {}, undefined).end();
  await tracer.close();
  expect(receiver.spans).toHaveLength(1);
  expect(connections).toBe(0);
});
