import { loginOf, withLogin } from '@gatehouse/kit/db/login';
import { NoOwnRole, ownRole } from '@gatehouse/kit/db/own-role';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { rolePasswords } from '@gatehouse/kit/db/role-passwords';
import { PROCESSES } from './processes.ts';

/** How a service logs in on the server. */
interface Access {
  readonly name: string;
  readonly url: string;
  /** Why it does so as the URL's own user. */
  readonly refused?: string;
}

type PasswordOf = (role: string) => string;

/**
 * Gives each service with a database a role of its own, which owns that database and reaches no other's. Where
 * that cannot be done, the service logs in as the URL's user, and a line says so.
 *
 * @returns the server's URL as each service logs in there, by its name
 */
export async function serviceLogins(
  server_url: string,
  say: (line: string) => void,
): Promise<Record<string, string>> {
  const admin = loginOf(server_url);
  const passwordOf = admin === undefined ? undefined : await rolePasswords(admin);
  const services = await Promise.all(
    PROCESSES.filter(({ has_database }) => has_database).map(({ name }) =>
      accessOf(name, server_url, admin?.user, passwordOf),
    ),
  );
  const shared = services.filter(({ refused }) => refused !== undefined);
  if (shared.length > 0) say(`${namesOf(shared)} share DATABASE_URL's user: ${reasonsOf(shared)}`);
  return Object.fromEntries(services.map(({ name, url }) => [name, url]));
}

async function accessOf(
  name: string,
  url: string,
  user: string | undefined,
  passwordOf: PasswordOf | undefined,
): Promise<Access> {
  if (user === undefined || passwordOf === undefined)
    return { name, url, refused: 'the URL names no user and password to make roles with' };
  try {
    return { name, url: withLogin(url, await ownRole(databaseUrl(url, name), user, passwordOf)) };
  } catch (error) {
    if (!(error instanceof NoOwnRole)) throw error;
    return { name, url, refused: error.message };
  }
}

function namesOf(services: readonly Access[]): string {
  return services.map(({ name }) => name).join(', ');
}

/** Each once: mostly it is the same for all. */
function reasonsOf(services: readonly Access[]): string {
  return [...new Set(services.map(({ refused }) => refused))].join('; ');
}
