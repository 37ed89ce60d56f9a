import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import {
  idleConnections,
  startWithDescriptorLimit,
} from '@gatehouse/dev-env/processes/start-with-descriptor-limit';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { fitDescriptors } from '../../src/connections/fit-descriptors.ts';
import { connect } from './support/raw-client.ts';

it('1,200 idle connections with 1,024 descriptors end nothing, and the oldest make room', async () => {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const gateway = `127.0.0.1:${await freePort()}`;
  const nobody = `127.0.0.1:${await freePort()}`;
  const realtime = await startWithDescriptorLimit(1_024, main, {
    LISTEN: '127.0.0.1:0',
    GATEWAY_LISTEN: gateway,
    AUTH_ADDRESS: nobody,
    CHAT_ADDRESS: nobody,
  });
  onTestFinished(realtime.kill);
  const hello = async () => {
    const client = await connect(gateway);
    onTestFinished(() => void client.socket.destroy());
    expect(await client.next()).toMatchObject({ op: 10 });
    return client;
  };
  const before = await hello();

  for (const at of [gateway, realtime.address]) {
    const idle = await idleConnections(at, 1_200);
    onTestFinished(idle.close);
    await expect.poll(idle.open).toBeLessThan(400);
  }
  await hello();
  before.send({ op: 1, d: null });
  expect(await before.next()).toMatchObject({ op: 11 });
  expect(realtime.isAlive()).toBe(true);
});

it('with few descriptors, at most a quarter is for handshakes, and half of the rest for one address', () => {
  const { bounds } = readConfig({});
  expect(fitDescriptors(bounds, 576)).toEqual({
    bounds: { ...bounds, max_connections: 432, max_connections_per_address: 216 },
    settings: { max_handshakes: 144 },
  });
  expect(fitDescriptors(bounds, 1_000_000)).toEqual({ bounds, settings: { max_handshakes: 2_048 } });
});
