import { DATABASE_SERVICES } from '@gatehouse/proto/services';
import { configureServices } from './configure-services.ts';
import { readServiceNames, serviceEnvironments } from './service-environments.ts';

/**
 * Migrates the database of each service that SERVICES names, one after the other. The settings of the others are not
 * read.
 *
 * @throws ConfigError naming every problem of every service
 */
export async function migrateDatabases(env: NodeJS.ProcessEnv): Promise<void> {
  const names = readServiceNames(env).filter((name) => DATABASE_SERVICES.includes(name));
  const services = await configureServices(serviceEnvironments(names, env));
  for (const { config, migrateDatabase } of services) await migrateDatabase?.(config);
}
