import type { Running } from '@gatehouse/kit/lifecycle';
import type { ProcessConfig } from '@gatehouse/kit/process/process-config';
import type { ProcessOverrides } from '@gatehouse/kit/process/start-process';
import { SERVICE_NAMES, type ServiceName } from '@gatehouse/proto/services';

/** Starts a service in this process, as its main.ts does in its own. @throws ConfigError for its environment */
export type StartService = (
  env: NodeJS.ProcessEnv,
  overrides: (config: ProcessConfig) => ProcessOverrides,
) => Promise<Running>;

/** The edge and the services, by process name. */
export const SERVICES: ReadonlyMap<string, StartService> = new Map(
  await Promise.all(SERVICE_NAMES.map(async (name) => [name, await service(name)] as const)),
);

/** Two modules of every service. */
interface ServiceModules {
  readonly readConfig: (env: NodeJS.ProcessEnv) => ProcessConfig;
  readonly start: (config: ProcessConfig, overrides: ProcessOverrides) => Promise<Running>;
}

async function service(name: ServiceName): Promise<StartService> {
  const [{ readConfig }, { start }]: [Pick<ServiceModules, 'readConfig'>, Pick<ServiceModules, 'start'>] =
    await Promise.all([import(`@gatehouse/${name}/config`), import(`@gatehouse/${name}/start`)]);
  return async (env, overrides) => {
    const config = readConfig(env);
    return start(config, overrides(config));
  };
}
