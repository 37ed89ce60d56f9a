import pg from 'pg';
import { ALREADY_THERE, codeOf, onServer } from './create-database.ts';
import { type Login, withLogin } from './login.ts';
import { ownedObjects } from './owned-objects.ts';
import { scramVerifier } from './role-passwords.ts';

/** A database gets no role of its own; the message says why. */
export class NoOwnRole extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoOwnRole';
  }
}

/** Any number, so long as every version uses the same; the second half of the key is the role. */
const LOCK = 0x726f_6c65;
/** Roles without this note are somebody else's, and are left alone. */
const NOTE = 'owns the database of its name; made by Gatehouse';
/** A statement of a running service may hold a table for a moment. */
const LOCK_WITHIN_MS = 5_000;

/**
 * Makes sure that a database is there, belongs to a role of the same name together with all that the URL's user
 * made in it, and takes no connections but of this role, its members and superusers. The role may do nothing
 * else. Any number may do so at once, while others use the database.
 *
 * @param database_url of the database, for this user
 * @param passwordOf the password that a role of this name gets (./role-passwords.ts)
 * @returns the role's login
 * @throws NoOwnRole where that cannot be done, or the role or the database is somebody else's
 */
export async function ownRole(
  database_url: string,
  user: string,
  passwordOf: (role: string) => string,
): Promise<Login> {
  const role = decodeURIComponent(new URL(database_url).pathname.slice(1));
  const login = { user: role, password: passwordOf(role) };
  const role_url = withLogin(database_url, login);
  if (await isSettled(role_url, user)) return login;
  try {
    await settle(database_url, user, login);
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw new NoOwnRole(error.message, error);
    throw error;
  }
  if (!(await isSettled(role_url, user))) throw new NoOwnRole(`role ${role} cannot log in`);
  return login;
}

/** Whether there is nothing to be done: what nearly every start finds, for one connection and statement. */
async function isSettled(role_url: string, user: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: role_url, application_name: 'roles' });
  client.on('error', () => undefined); // The running query reports it.
  try {
    await client.connect();
    const { rows } = await client.query<{ settled: boolean }>(
      `SELECT pg_get_userbyid(datdba) = current_user
              AND NOT has_database_privilege('public', oid, 'CONNECT') AS settled
         FROM pg_database WHERE datname = current_database()`,
    );
    return rows[0]?.settled === true && (await ownedObjects(client, user)).length === 0;
  } catch (error) {
    // No such role, another password, no such database.
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  } finally {
    await client.end();
  }
}

async function settle(database_url: string, user: string, login: Login): Promise<void> {
  const { user: role } = login;
  await onServer(database_url, async (client) => {
    // Held by the session: its end, however it comes, gives the lock back.
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK, role]);
    const superuser = await mayMakeRoles(client);
    const owner = await ownerOf(client, role);
    await makeRole(client, login, superuser);
    if (owner === undefined) await makeDatabase(client, role);
    await giveDatabase(database_url, user, role);
  });
}

/** Whether the user is a superuser. @throws NoOwnRole for one who may not make roles */
async function mayMakeRoles(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ rolsuper: boolean; rolcreaterole: boolean }>(
    'SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user',
  );
  const { rolsuper = false, rolcreaterole = false } = rows[0] ?? {};
  if (!rolsuper && !rolcreaterole) throw new NoOwnRole('the user may not make roles');
  return rolsuper;
}

/** Whose the database is: the role's or the user's; undefined when it is not there. @throws NoOwnRole for others */
async function ownerOf(client: pg.Client, role: string): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string; known: boolean }>(
    `SELECT pg_get_userbyid(datdba) AS owner, pg_get_userbyid(datdba) IN (current_user, $1::name) AS known
       FROM pg_database WHERE datname = $1::name`,
    [role],
  );
  const [found] = rows;
  if (found?.known === false) throw new NoOwnRole(`database ${role} belongs to ${found.owner}`);
  return found?.owner;
}

/** With this password. Everything else about a new role is what it may not do. */
async function makeRole(
  client: pg.Client,
  { user: role, password }: Login,
  superuser: boolean,
): Promise<void> {
  const { rows } = await client.query<{ note: string | null }>(
    "SELECT shobj_description(oid, 'pg_authid') AS note FROM pg_roles WHERE rolname = $1::name",
    [role],
  );
  const [known] = rows;
  if (known !== undefined && known.note !== NOTE)
    throw new NoOwnRole(`there is a role ${role} already, of somebody else's making`);
  const name = pg.escapeIdentifier(role);
  const secret = pg.escapeLiteral(scramVerifier(password));
  if (known !== undefined) {
    await client.query(`ALTER ROLE ${name} LOGIN PASSWORD ${secret}`);
    return;
  }
  await inOne(client, [
    `CREATE ROLE ${name} LOGIN PASSWORD ${secret}`,
    `COMMENT ON ROLE ${name} IS ${pg.escapeLiteral(NOTE)}`,
    // Who is no superuser gives nothing to a role without being a member; and goes on reaching the database.
    ...(superuser ? [] : [`GRANT ${name} TO CURRENT_USER`]),
  ]);
}

async function makeDatabase(client: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  try {
    await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
  } catch (error) {
    // A service that was started by itself may be as quick.
    if (!ALREADY_THERE.has(codeOf(error))) throw error;
  }
}

/** All of it or nothing. */
async function giveDatabase(database_url: string, user: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: database_url, application_name: 'roles' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const name = pg.escapeIdentifier(role);
    const owned = await ownedObjects(client, user);
    await inOne(client, [
      `SET LOCAL lock_timeout = ${LOCK_WITHIN_MS}`,
      // First: who owns the database may own what is in its schemas.
      `ALTER DATABASE ${name} OWNER TO ${name}`,
      ...owned.map((object) => `ALTER ${object} OWNER TO ${name}`),
      `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
    ]);
  } finally {
    await client.end();
  }
}

/** One transaction, in one message: a failure of any leaves none. */
async function inOne(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query(statements.join(';\n'));
}
