import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Counter, Gauge, Registry } from 'prom-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operationsServer } from '../../src/metrics/operations-server.ts';
import { processMetrics } from '../../src/metrics/process-metrics.ts';

const isReady = () => true;

function registryOf(): Registry {
  const registry = new Registry();
  const counter = new Counter({
    name: 'checks_total',
    help: 'Checks.',
    labelNames: ['bucket'],
    registers: [registry],
  });
  counter.inc({ bucket: 'global' }, 3);
  return registry;
}

test('GET /metrics returns the current registry as text', async () => {
  const registry = registryOf();
  const server = await operationsServer('127.0.0.1:0', { registry, isReady });
  onTestFinished(server.close);
  const response = await fetch(`http://${server.address}/metrics?name[]=checks`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toContain('checks_total{bucket="global"} 3');
  registry.resetMetrics();
  expect(await (await fetch(`http://${server.address}/metrics`)).text()).not.toContain('global');
});

test('nothing else is served', async () => {
  const server = await operationsServer('127.0.0.1:0', { registry: registryOf(), isReady });
  onTestFinished(server.close);
  expect((await fetch(`http://${server.address}/`)).status).toBe(404);
  expect((await fetch(`http://${server.address}/metrics/x`)).status).toBe(404);
  const post = await fetch(`http://${server.address}/metrics`, { method: 'POST', body: 'x' });
  expect(post.status).toBe(405);
  expect(post.headers.get('allow')).toBe('GET, HEAD');
});

test('a failing metric is a 500 without its error text, and the server continues', async () => {
  const registry = registryOf();
  let broken = true;
  new Counter({
    name: 'broken_total',
    help: 'Broken.',
    registers: [registry],
    collect: () => {
      if (broken) throw new Error('planted');
    },
  });
  const server = await operationsServer('127.0.0.1:0', { registry, isReady });
  onTestFinished(server.close);
  const response = await fetch(`http://${server.address}/metrics`);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('planted');
  broken = false;
  expect((await fetch(`http://${server.address}/metrics`)).status).toBe(200);
});

test('listens on IPv6 too, and closes while a scraper keeps its connection', async () => {
  const server = await operationsServer('[::1]:0', { registry: registryOf(), isReady });
  expect(server.address).toMatch(/^\[::1\]:\d+$/);
  await (await fetch(`http://${server.address}/metrics`)).text();
  await server.close();
  await expect(fetch(`http://${server.address}/metrics`)).rejects.toThrow();
});

test('a port in use fails with its address', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on TCP');
  await expect(
    operationsServer(`127.0.0.1:${address.port}`, { registry: registryOf(), isReady }),
  ).rejects.toThrow(`cannot serve metrics on 127.0.0.1:${address.port}`);
});

/** Opens connections, each with these requests, and reads no answers. */
async function connectWithoutReading(address: string, count: number, requests: string): Promise<Socket[]> {
  const { port } = new URL(`http://${address}`);
  const sockets = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1').pause());
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on('error', () => undefined); // it is cut off
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(requests);
  return sockets;
}

describe('clients that do not read', () => {
  /** A server whose 64 connections are all taken by clients that read no answers. Returns a probe. */
  async function fullServer(idle_timeout_ms: number): Promise<() => Promise<number | 'refused'>> {
    const registry = new Registry();
    new Gauge({ name: 'long', help: 'x'.repeat(100_000), registers: [registry] });
    const server = await operationsServer('127.0.0.1:0', { registry, isReady, idle_timeout_ms });
    onTestFinished(server.close);
    await connectWithoutReading(server.address, 64, 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
    return () =>
      fetch(`http://${server.address}/livez`).then(
        ({ status }) => status,
        () => 'refused' as const,
      );
  }

  test('use up the connections of the server', async () => {
    const livez = await fullServer(60_000);
    await expect.poll(livez).toBe('refused');
  });

  test('lose their connections after the timeout', async () => {
    const livez = await fullServer(500);
    await expect.poll(livez).toBe(200);
  });
});

test('/livez and /readyz report the state of the process', async () => {
  let ready = false;
  const server = await operationsServer('127.0.0.1:0', { registry: registryOf(), isReady: () => ready });
  onTestFinished(server.close);
  const status = async (path: string) => (await fetch(`http://${server.address}${path}`)).status;
  expect(await status('/livez')).toBe(200);
  expect(await status('/readyz')).toBe(503);
  ready = true;
  expect(await status('/readyz')).toBe(200);
});

test('a scrape contains the readiness, and the expiry of the current certificate', async () => {
  const registry = new Registry();
  let ready = true;
  let until = new Date('2030-01-01T00:00:00Z');
  processMetrics(registry, { isReady: async () => ready, certificates: { validUntil: () => until } });
  const expires = (at: Date) => `rpc_certificate_expires_timestamp_seconds ${at.getTime() / 1000}\n`;
  expect(await registry.metrics()).toContain('process_ready 1\n');
  expect(await registry.metrics()).toContain(expires(until));
  ready = false;
  until = new Date('2031-01-01T00:00:00Z');
  expect(await registry.metrics()).toContain('process_ready 0\n');
  expect(await registry.metrics()).toContain(expires(until));
});

test('without mutual TLS there is no certificate metric', async () => {
  const registry = new Registry();
  processMetrics(registry, { isReady: async () => true });
  expect(await registry.metrics()).not.toContain('rpc_certificate');
});

test('simultaneous scrapes share one reading', async () => {
  const registry = new Registry();
  let readings = 0;
  const { promise: counted, resolve: count } = Promise.withResolvers<void>();
  new Gauge({
    name: 'rows',
    help: 'Counted in a database.',
    registers: [registry],
    async collect() {
      readings++;
      await counted;
      this.set(7);
    },
  });
  const server = await operationsServer('127.0.0.1:0', { registry, isReady });
  onTestFinished(server.close);
  const scrape = async () => (await fetch(`http://${server.address}/metrics`)).text();
  const scrapes = Array.from({ length: 16 }, scrape);
  await expect.poll(() => readings).toBe(1);
  count();
  for (const text of await Promise.all(scrapes)) expect(text).toContain('rows 7');
  expect(readings).toBeLessThan(16);
  await scrape();
  expect(readings).toBeGreaterThan(1);
});
