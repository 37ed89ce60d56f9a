import { ConfigError, readEnv } from '../env.ts';
import { createLogger } from '../log.ts';
import { loginOf } from './login.ts';
import { migrate } from './migrate.ts';
import { NoOwnRole, ownRole } from './own-role.ts';
import { openPool } from './pool.ts';

export interface PrepareDatabaseOptions {
  /** The service's name, for the log. */
  readonly name: string;
  /** The service's database, with its login. */
  readonly database_url: string;
  /** Folder of the SQL migrations. */
  readonly dir: string;
}

/**
 * The command `migrate`: migrates a service's database without starting the service. With ADMIN_DATABASE_URL, for a
 * user who creates roles and databases, it first creates the service's role, with the password of DATABASE_URL, and
 * its database (docs/decisions/database-roles.md).
 *
 * @throws ConfigError if the login of DATABASE_URL does not match the name of the database, or the role or the
 * database cannot be created
 */
export async function prepareDatabase({ name, database_url, dir }: PrepareDatabaseOptions): Promise<void> {
  const log = createLogger({ name });
  const admin_url = readEnv(process.env, (read) =>
    read.optionalUrl('ADMIN_DATABASE_URL', {
      about: 'for `migrate`: a user who may create roles and databases',
      protocols: ['postgres', 'postgresql'],
      unset: 'the login and the database of DATABASE_URL exist',
    }),
  );
  if (admin_url !== undefined) await makeRole(admin_url, database_url);
  await migrate({ database_url, dir, log });
  log.info('the database is up to date');
}

async function makeRole(admin_url: string, database_url: string): Promise<void> {
  const { pathname } = new URL(database_url);
  const database = decodeURIComponent(pathname.slice(1));
  const login = loginOf(database_url);
  if (login?.user !== database || login.password === '')
    throw new ConfigError([`DATABASE_URL must name the user ${database}, with a password`]);
  const as_admin = new URL(admin_url);
  as_admin.pathname = pathname;
  const admin = openPool({ database_url: admin_url, application_name: 'migrate', max: 1 });
  try {
    await ownRole(admin, as_admin.href, () => login.password);
  } catch (error) {
    if (!(error instanceof NoOwnRole)) throw error;
    throw new ConfigError([`ADMIN_DATABASE_URL cannot be used: ${error.message}`]);
  } finally {
    await admin.end();
  }
}
