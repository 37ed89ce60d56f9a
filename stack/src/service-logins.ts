import { maintenanceUrl } from '@gatehouse/kit/db/create-database';
import { loginOf, withLogin } from '@gatehouse/kit/db/login';
import { NoOwnRole, ownRole } from '@gatehouse/kit/db/own-role';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { rolePasswords } from '@gatehouse/kit/db/role-passwords';
import { DATABASE_SERVICES } from '@gatehouse/proto/services';

/** A service's login at the server. */
interface Access {
  readonly name: string;
  readonly url: string;
  /** The reason, if it has no role of its own and logs in as the URL's user. */
  readonly refused?: string;
}

/**
 * Gives each service with a database its own role, which owns that database and reaches no other. If that is not
 * possible, the service logs in as the URL's user, and `say` gets a line about it.
 *
 * @returns the server's URL as each service logs in there, by its name
 */
export async function serviceLogins(
  server_url: string,
  say: (line: string) => void,
): Promise<Record<string, string>> {
  const services = await accessOf(server_url);
  const shared = services.filter(({ refused }) => refused !== undefined);
  if (shared.length > 0) {
    const names = shared.map(({ name }) => name).join(', ');
    const reasons = new Set(shared.map(({ refused }) => refused)); // usually one reason for all
    say(
      `${names}: no database roles of their own, the user of DATABASE_URL is used (${[...reasons].join('; ')})`,
    );
  }
  return Object.fromEntries(services.map(({ name, url }) => [name, url]));
}

async function accessOf(url: string): Promise<Access[]> {
  const user = loginOf(url);
  if (user === undefined) {
    const refused = 'DATABASE_URL has no user and password, which are needed to create roles';
    return DATABASE_SERVICES.map((name) => ({ name, url, refused }));
  }
  const passwordOf = await rolePasswords(user);
  const admin = openPool({ database_url: maintenanceUrl(url), application_name: 'roles', max: 1 });
  try {
    return await Promise.all(
      DATABASE_SERVICES.map(async (name) => {
        try {
          return { name, url: withLogin(url, await ownRole(admin, databaseUrl(url, name), passwordOf)) };
        } catch (error) {
          if (!(error instanceof NoOwnRole)) throw error;
          return { name, url, refused: error.message };
        }
      }),
    );
  } finally {
    await admin.end();
  }
}
