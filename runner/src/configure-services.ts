import { ConfigError } from '@gatehouse/kit/env';
import type { ProcessConfig } from '@gatehouse/kit/process/process-config';
import type { ServiceName } from '@gatehouse/proto/services';
import { loadService, type ServiceModules } from './services.ts';

export interface ConfiguredService extends ServiceModules {
  readonly name: ServiceName;
  readonly config: ProcessConfig;
}

/**
 * Loads services, and reads the settings of each from its environment.
 *
 * @throws ConfigError naming every problem of every service
 */
export async function configureServices(
  environments: ReadonlyMap<ServiceName, NodeJS.ProcessEnv>,
): Promise<ConfiguredService[]> {
  const problems = new Set<string>();
  const services: ConfiguredService[] = [];
  for (const [name, env] of environments) {
    const modules = await loadService(name);
    try {
      services.push({ ...modules, name, config: modules.readConfig(env) });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) problems.add(`${name}: ${problem}`);
    }
  }
  if (problems.size > 0) throw new ConfigError([...problems]);
  return services;
}
