import type { Running } from '@gatehouse/kit/lifecycle';
import type { ProcessConfig } from '@gatehouse/kit/process/process-config';
import type { ProcessOverrides } from '@gatehouse/kit/process/start-process';
import type { ServiceName } from '@gatehouse/proto/services';

/** The parts of a service that the runner uses. */
export interface ServiceModules {
  /** @throws ConfigError naming every problem */
  readonly readConfig: (env: NodeJS.ProcessEnv) => ProcessConfig;
  readonly start: (config: ProcessConfig, overrides: ProcessOverrides) => Promise<Running>;
  /** Services without a database have none. */
  readonly migrateDatabase?: (config: ProcessConfig) => Promise<void>;
}

/** Loads a service. A process loads only the services that it runs. */
export async function loadService(name: ServiceName): Promise<ServiceModules> {
  const [{ readConfig }, { start, migrateDatabase }]: [
    Pick<ServiceModules, 'readConfig'>,
    Omit<ServiceModules, 'readConfig'>,
  ] = await Promise.all([import(`@gatehouse/${name}/config`), import(`@gatehouse/${name}/start`)]);
  return { readConfig, start, ...(migrateDatabase !== undefined && { migrateDatabase }) };
}
