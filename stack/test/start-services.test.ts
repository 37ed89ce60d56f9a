import { createServer } from 'node:net';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { ConfigError } from '@gatehouse/kit/env';
import { stopAll } from '@gatehouse/runner/stop-all';
import { expect, it, onTestFinished } from 'vitest';
import { PortLost } from '../src/port-lost.ts';
import { PROCESSES } from '../src/processes.ts';
import { startServices } from '../src/start-services.ts';

/** Starts all services with these settings of ratelimit, and stops them after the test. */
async function start(ratelimit: NodeJS.ProcessEnv) {
  const folder = await testDataFolder('services');
  const environments = PROCESSES.map(({ name }) => (name === 'ratelimit' ? ratelimit : {}));
  const started = startServices({
    environments,
    logs: folder.path,
    say: () => undefined,
    frozen: true,
  });
  onTestFinished(() => stopAll(started.processes).then(folder.remove));
  return started;
}

it('in one process, a service with invalid settings fails the start, and the others stop', async () => {
  const { misconfigured, processes } = await start({ LISTEN: '127.0.0.1:0' });
  await expect(misconfigured).rejects.toBeInstanceOf(ConfigError);
  await stopAll(processes);
});

it('in one process, a service whose port is taken says so', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const { port_lost } = await start({ LISTEN: `127.0.0.1:${port}` });
  const lost = await port_lost.catch((error: Error) => error);
  expect(lost).toBeInstanceOf(PortLost);
  expect((lost as Error).message).toContain(`ratelimit cannot listen on port ${port}`);
});
