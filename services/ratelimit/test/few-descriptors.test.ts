import { fileURLToPath } from 'node:url';
import {
  idleConnections,
  startWithDescriptorLimit,
} from '@gatehouse/dev-env/processes/start-with-descriptor-limit';
import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { expect, it, onTestFinished } from 'vitest';

it('1,200 idle connections with 1,024 descriptors are survived, and delay only later connections', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const ratelimit = await startWithDescriptorLimit(1_024, main, { LISTEN: '127.0.0.1:0' });
  onTestFinished(ratelimit.kill);
  const client = () => {
    const connection = connect(RatelimitServiceDefinition, { address: ratelimit.address });
    onTestFinished(() => connection.close());
    return () => connection.client.listBuckets({}, { timeoutMs: 10_000 });
  };
  const before = client();
  await before();

  const idle = await idleConnections(ratelimit.address, 1_200);
  onTestFinished(idle.close);
  await expect.poll(idle.open).toBeLessThan(400);
  await before();
  await expect.poll(ratelimit.written).toContain('connections are turned away');
  idle.close();
  await expect.poll(client()).toHaveProperty('buckets');
  await before();
  expect(ratelimit.isAlive()).toBe(true);
});
