import { fileURLToPath } from 'node:url';
import {
  idleConnections,
  startWithDescriptorLimit,
} from '@gatehouse/dev-env/processes/start-with-descriptor-limit';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { withinDescriptors } from '../../src/overload/bounds.ts';
import { startPeers } from '../support/peers.ts';
import { raw, request, wire } from '../support/wire.ts';

it('1,200 idle connections with 1,024 descriptors are survived, and make room for requests', async () => {
  const peers = await startPeers();
  onTestFinished(() => peers.close());
  const addresses = Object.entries(peers.addresses).map(([name, at]) => [
    `${name.toUpperCase()}_ADDRESS`,
    at,
  ]);
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const edge = await startWithDescriptorLimit(1_024, main, { PORT: '0', ...Object.fromEntries(addresses) });
  onTestFinished(edge.kill);
  const { hostname: host, port } = new URL(`http://${edge.address}`);
  const at = { host, port: Number(port) };
  const before = await wire(at);
  onTestFinished(before.destroy);
  const ask = async () => {
    before.write(request('GET /gateway'));
    return (await before.answer()).status;
  };
  expect(await ask()).toBe(200);

  for (let round = 0; round < 4; round++) {
    const idle = await idleConnections(edge.address, 300);
    onTestFinished(idle.close);
    expect(await ask()).toBe(200);
  }
  expect((await raw(at, request('GET /gateway'))).status).toBe(200);
  expect(edge.isAlive()).toBe(true);
});

it('leaves a third of scarce descriptors for connections to realtime', () => {
  const { bounds } = readConfig({});
  expect(withinDescriptors(bounds, 768)).toEqual({
    ...bounds,
    max_connections: 512,
    max_connections_per_address: 256,
    max_tunnels: 256,
  });
  expect(withinDescriptors(bounds, 1_000_000)).toMatchObject({
    max_connections: 10_000,
    max_tunnels: 990_000,
  });
  expect(withinDescriptors({ ...bounds, max_tunnels: 5 }, 1_000_000)).toMatchObject({ max_tunnels: 5 });
});
