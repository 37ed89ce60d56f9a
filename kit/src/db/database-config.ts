import type { EnvReader } from '../env.ts';
import { databaseUrl } from './pool.ts';

/** The settings of a service with a database. */
export interface DatabaseConfig {
  /** The URL of the service's own database. */
  readonly database_url: string;
  readonly database_pool_size: number;
}

/** @param min_connections the smallest pool with which the service makes progress */
export function readDatabaseConfig(
  read: EnvReader,
  service: string,
  { min_connections }: { readonly min_connections: number },
): DatabaseConfig {
  const server_url = read.url('DATABASE_URL', {
    about:
      'the PostgreSQL server; the service’s own database there is named after the URL’s (docs/database.md)',
    protocols: ['postgres', 'postgresql'],
    example: 'postgres://user:password@127.0.0.1:5432/gatehouse',
  });
  return {
    database_url: server_url === '' ? '' : databaseUrl(server_url, service),
    database_pool_size: read.integer('DATABASE_POOL_SIZE', {
      about: 'connections to the database',
      min: min_connections,
      max: 100,
      default: 8,
    }),
  };
}
