import { connect, type Socket } from 'node:net';
import { until } from '@gatehouse/dev-env/until';
import type { Change } from '@gatehouse/stack/envoy/configuration';
import { envoyIsMissing, type RunningEnvoy, runEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { raw, request } from '../support/raw.ts';
import { type RecordingEdge, startRecordingEdge } from './recording-edge.ts';

const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
/** Shorter than the pause of a WebSocket between heartbeats; the limit of a request is the same. */
const HURRIED: readonly Change[] = [
  ['idle_timeout: 120s', 'idle_timeout: 5s'],
  ['request_timeout: 65s', 'request_timeout: 0.5s'],
  ['stream_idle_timeout: 35s', 'stream_idle_timeout: 0.5s'],
];
const FEW: Change = ['max_requests: 10000', 'max_requests: 4'];

describe.skipIf(envoyIsMissing)('Envoy in front of realtime', () => {
  let edge: RecordingEdge;
  let one: RecordingEdge;
  let two: RecordingEdge;
  let envoy: RunningEnvoy;
  let hurried: RunningEnvoy;

  beforeAll(async () => {
    [edge, one, two] = await Promise.all([startRecordingEdge(), startRecordingEdge(), startRecordingEdge()]);
    const addresses = { gateway: [edge.address], realtime: [one.address, two.address] };
    [envoy, hurried] = await Promise.all([
      runEnvoy({ file: 'front.yaml', addresses, changes: [FEW] }),
      runEnvoy({ file: 'front.yaml', addresses, changes: HURRIED }),
    ]);
    await Promise.all([envoy.healthy('gateway', 1), hurried.healthy('gateway', 1)]);
  });
  afterAll(async () => {
    await Promise.all([envoy?.close(), hurried?.close()]);
    await Promise.all([edge?.close(), one?.close(), two?.close()]);
  });
  beforeEach(async () => {
    await untilClosed();
    for (const server of [edge, one, two]) server.seen.length = 0;
  });

  /** Few may be open at a time, and Envoy learns of a closed one later than its client. */
  const untilClosed = (left = 0) =>
    until('closed WebSockets', 30_000, () => one.webSockets() + two.webSockets() <= left || undefined);
  const open = (head = request('GET /gateway?v=1&encoding=json', UPGRADE), through = envoy) => {
    const opened = openSocket(through.port(8080), head);
    onTestFinished(() => void opened.socket.destroy());
    return opened;
  };
  const upgraded = (received: () => string) =>
    until('the upgrade', 30_000, () => {
      const head = received();
      if (head.startsWith('HTTP/1.1 101')) return true;
      if (head.includes('\r\n')) throw new Error(`no upgrade: ${head}`);
      return undefined;
    });

  it('forwards a WebSocket at /gateway to a replica, with any content, and adds the client’s address', async () => {
    const claims = [
      'X-Forwarded-For: 203.0.113.1',
      'Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ];
    const { socket, received } = open(request('GET /gateway?v=1&encoding=json', [...UPGRADE, ...claims]));
    await upgraded(received);
    socket.write('\u0000 no frame at all');
    await until('the echo', 30_000, () => received().endsWith('\u0000 no frame at all') || undefined);
    expect([...one.seen, ...two.seen]).toEqual(['UPGRADE /gateway?v=1&encoding=json']);
    expect(edge.seen).toEqual([]);
    const headers = (one.seen.length > 0 ? one : two).headers();
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(headers.traceparent).toBeUndefined();
  });

  it('keeps it open for longer than the limit of a request, and closes it when idle', async () => {
    const { socket, received, closed } = open(request('GET /gateway', UPGRADE), hurried);
    await upgraded(received);
    const openedAt = performance.now();
    // Heartbeats, each later than the limits of a request and of an idle response.
    for (const [n, beat] of ['one', 'two', 'three'].entries()) {
      await until('its time', 30_000, () => performance.now() - openedAt > 1_000 * (n + 1) || undefined);
      socket.write(beat);
      await until('the echo', 30_000, () => received().endsWith(beat) || undefined);
    }
    await until('the end', 30_000, () => closed() || undefined);
    expect(performance.now() - openedAt).toBeGreaterThan(3_000);
  });

  it('opens new ones at the replica with fewer', async () => {
    const opened = async () => {
      const { socket, received } = open();
      await upgraded(received);
      return socket;
    };
    await opened();
    const [busy, free] = one.seen.length > 0 ? [one, two] : [two, one];
    // Envoy draws two replicas at random, possibly the same one, and takes the one with fewer connections.
    for (let times = 0; times < 60; times++) {
      (await opened()).destroy();
      await untilClosed(1);
    }
    expect(free.seen.length).toBeGreaterThan(busy.seen.length);
    for (let more = 0; more < 3; more++) await opened();
    // Enough connections to show it.
    const refused = await raw(envoy.url, request('GET /gateway', UPGRADE));
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(refused.headers.get('retry-after')).toBe('1');
  });

  it('forwards a WebSocket whose path ends in a slash, as many clients write it', async () => {
    const { socket, received } = open(request('GET /gateway/?v=1&encoding=json', UPGRADE));
    await upgraded(received);
    socket.destroy();
    expect([...one.seen, ...two.seen]).toEqual(['UPGRADE /gateway/?v=1&encoding=json']);
  });

  it('sends requests without an upgrade, and upgrades of other paths, to the edge', async () => {
    const { socket, received } = open(request('GET /gateway', ['Upgrade: websocket']));
    await until('the edge’s answer', 30_000, () => received().includes('well') || undefined);
    socket.destroy();
    expect(await (await fetch(`${envoy.url}/gateway`)).text()).toBe('well');
    expect(edge.seen).toEqual(['GET /gateway', 'GET /gateway']);
    for (const path of ['/api/v1/gateway', '/gateway/v1', '/gateways', '/'])
      expectError(await raw(envoy.url, request(`GET ${path}`, UPGRADE)), 404, 'NOT_FOUND');
    expect([...one.seen, ...two.seen]).toEqual([]);
  });

  it('tries another replica if one accepts no connection, and answers 503 if none does', async () => {
    await two.close();
    for (let n = 0; n < 6; n++) {
      const { socket, received } = open();
      await upgraded(received);
      socket.destroy();
      await untilClosed();
    }
    expect(one.seen).toHaveLength(6);
    await one.close();
    const refused = await raw(envoy.url, request('GET /gateway', UPGRADE));
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(refused.headers.get('retry-after')).toBe('1');
  });
});

function openSocket(
  port: number,
  head: string,
): { socket: Socket; received: () => string; closed: () => boolean } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined); // 'close' follows
  socket.write(head);
  return { socket, received: () => text, closed: () => socket.closed };
}
