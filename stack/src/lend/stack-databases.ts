import { fileURLToPath } from 'node:url';
import { cloneDatabase, dropTestDatabase, newDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { DATABASE_SERVICES } from '@gatehouse/proto/services';

export interface StackDatabases {
  /** Has the form of DATABASE_URL. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates databases of the services, cloned from templates. */
export async function stackDatabases(server: string): Promise<StackDatabases> {
  const url = newDatabaseUrl(server, 'stack');
  await Promise.all(
    DATABASE_SERVICES.map((service) => {
      const migrations = fileURLToPath(new URL(`../../../services/${service}/migrations`, import.meta.url));
      return cloneDatabase(migrations, databaseUrl(url, service));
    }),
  );
  return {
    url,
    drop: async () => {
      await Promise.all(DATABASE_SERVICES.map((service) => dropTestDatabase(databaseUrl(url, service))));
    },
  };
}
