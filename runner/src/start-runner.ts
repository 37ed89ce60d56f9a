import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '@gatehouse/kit/lifecycle';
import { type LocalServers, localServers } from '@gatehouse/kit/rpc/direct/local-servers';
import type { ServiceName } from '@gatehouse/proto/services';
import { type ConfiguredService, configureServices } from './configure-services.ts';
import { readServiceNames, serviceEnvironments } from './service-environments.ts';
import { stopAll } from './stop-all.ts';

interface RunningService {
  readonly name: ServiceName;
  readonly running: Running;
}

/**
 * Starts the services that SERVICES names in this process. They call each other without connections, and other services
 * by call stream. Each has its own name in logs, its own certificate, and its own port for callers in other processes.
 *
 * @throws ConfigError naming every problem of every service
 */
export async function startRunner(env: NodeJS.ProcessEnv): Promise<Running> {
  const environments = serviceEnvironments(readServiceNames(env), env);
  const services = await configureServices(environments);
  const addresses = [...environments.values()].flatMap(({ LISTEN }) => LISTEN ?? []);
  const started = await startAll(services, localServers({ addresses }));
  const drain_delay_ms = Math.max(...services.map(({ config }) => config.drain_delay_ms));
  return {
    address: started.map(({ name, running }) => `${running.address} (${name})`).join(', '),
    drain_delay_ms,
    close: async () => {
      for (const { running } of started) running.drain?.();
      await sleep(drain_delay_ms);
      await stopAll(started.map(stoppable));
    },
  };
}

/** If one fails, the others are closed again. */
async function startAll(
  services: readonly ConfiguredService[],
  local: LocalServers,
): Promise<RunningService[]> {
  const starts = await Promise.allSettled(
    services.map(async ({ name, config, start }) => {
      // The drain delay is that of the process, once for all services.
      const running = await start({ ...config, drain_delay_ms: 0 }, { local });
      return { name, running };
    }),
  );
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed === undefined) return started;
  await stopAll(started.map(stoppable)).catch(() => undefined);
  throw failed.reason;
}

function stoppable({ name, running }: RunningService) {
  return { name, keepDown: () => undefined, stop: () => running.close() };
}
