import pg from 'pg';
import { ALREADY_THERE, codeOf, IN_UTF8, onServer, refuseLocale } from './create-database.ts';
import { type Login, withLogin } from './login.ts';
import { ownedObjects } from './owned-objects.ts';
import { scramVerifier } from './role-passwords.ts';
import { withClient } from './with-client.ts';

/** A database gets no role of its own; the message says why. */
export class NoOwnRole extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoOwnRole';
  }
}

/** Any number, so long as every version uses the same; the second half of the key is the role. */
const LOCK = 0x72_6f_6c_65;
/** Roles without this note are somebody else's, and are left alone: another user would set another password. */
const noteOf = (user: string) => `owns the database of its name; made by Gatehouse for ${user}`;
/**
 * For every connection of the user's. A role may put functions and operators into its database, and PostgreSQL would
 * choose one of them for a built-in of the same name that fits less well, and run it with all that the user may do.
 */
const BUILT_IN_ONLY = 'SET search_path TO pg_catalog, pg_temp';
/** A statement of a running service may hold a table for a moment. */
const LOCK_WITHIN_MS = 5_000;
/** Other starts that do the same come first. */
const TURN_WITHIN_MS = 20_000;

/**
 * Makes sure that a database is there, belongs to a role of the same name together with all that the user made in
 * it, and takes no connections but of this role, its members and superusers. The role may do nothing else. Any
 * number may do so at once, while others use the database.
 *
 * @param admin of the user who makes roles and databases, to any database of the server
 * @param database_url of the database, for the same user
 * @param passwordOf the password that a role of this name gets (./role-passwords.ts)
 * @returns the role's login
 * @throws NoOwnRole where that cannot be done, or the role or the database is somebody else's; another error where the
 *   role had its database already, and cannot log in all the same
 */
export async function ownRole(
  admin: pg.Pool,
  database_url: string,
  passwordOf: (role: string) => string,
): Promise<Login> {
  const role = decodeURIComponent(new URL(database_url).pathname.slice(1));
  const login = { user: role, password: passwordOf(role) };
  let has_database = false;
  try {
    const found = await roleStateIn(admin, role);
    has_database = found.has_database;
    if (!(await isSettled(found, database_url, login))) {
      await settle(database_url, login);
      if (!(await isSettled(await roleStateIn(admin, role), database_url, login)))
        throw new NoOwnRole(`role ${role} cannot log in`);
    }
    return login;
  } catch (error) {
    // A role that keeps itself out must not gain the user's login by that.
    if (has_database)
      throw new Error(`role ${role} has its database and cannot be used: ${String(error)}`, { cause: error });
    if (error instanceof pg.DatabaseError) throw new NoOwnRole(error.message, error);
    throw error;
  }
}

/** What the server knows of a role and the database of its name. */
interface RoleState {
  /** Who asks. */
  readonly user: string;
  readonly superuser: boolean;
  readonly may_make_roles: boolean;
  readonly role_is_there: boolean;
  readonly database_is_there: boolean;
  /** The role is there, and an earlier start gave it the database, unless that has gone since. */
  readonly has_database: boolean;
  /** The database is the role's, and nobody else may connect. */
  readonly owned: boolean;
}

async function roleStateIn(admin: pg.Pool, role: string): Promise<RoleState> {
  const client = await admin.connect();
  try {
    await client.query(BUILT_IN_ONLY);
    return await roleStateOf(client, role);
  } finally {
    client.release();
  }
}

/** @throws NoOwnRole where the role or the database is somebody else's */
async function roleStateOf(client: pg.ClientBase, role: string): Promise<RoleState> {
  const { rows } = await client.query<
    Omit<RoleState, 'has_database'> & { note: string | null; owner: string | null }
  >(
    `SELECT me.rolname AS user, me.rolsuper AS superuser, me.rolsuper OR me.rolcreaterole AS may_make_roles,
            own.oid IS NOT NULL AS role_is_there, shobj_description(own.oid, 'pg_authid') AS note,
            datname IS NOT NULL AS database_is_there, pg_get_userbyid(datdba) AS owner,
            coalesce(datdba = own.oid AND NOT has_database_privilege('public', pg_database.oid, 'CONNECT'), false)
              AS owned
       FROM pg_roles AS me
       LEFT JOIN pg_roles AS own ON own.rolname = $1::name
       LEFT JOIN pg_database ON datname = $1::name
      WHERE me.rolname = current_user`,
    [role],
  );
  const [found] = rows;
  if (found === undefined) throw new Error('the user has no role');
  const { note, owner, ...standing } = found;
  if (standing.role_is_there && note !== noteOf(standing.user))
    throw new NoOwnRole(`there is a role ${role} already, which ${standing.user} did not make`);
  if (owner !== null && owner !== role && owner !== standing.user)
    throw new NoOwnRole(`database ${role} belongs to ${owner}`);
  return { ...standing, has_database: standing.role_is_there && owner !== standing.user };
}

/**
 * Whether there is nothing to be done, as at nearly every start. Logs in for that, but never as a role that is not
 * there: servers note failed logins.
 */
async function isSettled({ owned, user }: RoleState, database_url: string, login: Login): Promise<boolean> {
  if (!owned) return false;
  try {
    const role_url = withLogin(database_url, login);
    return await inDatabase(role_url, async (client) => (await ownedObjects(client, user)).length === 0);
  } catch (error) {
    if (error instanceof pg.DatabaseError) return false; // It has another password.
    throw error;
  }
}

async function settle(database_url: string, login: Login): Promise<void> {
  const { user: role } = login;
  await onServer(database_url, async (client) => {
    await client.query(BUILT_IN_ONLY);
    // Held by the session: its end, however it comes, gives the lock back. Whoever may connect can take it.
    await client.query(`SET lock_timeout = ${TURN_WITHIN_MS}`);
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK, role]);
    const standing = await roleStateOf(client, role);
    if (!standing.may_make_roles) throw new NoOwnRole('the user may not make roles');
    await makeRole(client, standing, login);
    if (!standing.database_is_there) await makeDatabase(client, role);
    await giveDatabase(standing, database_url, role);
  });
}

/** With this password. Everything else about a new role is what it may not do. */
async function makeRole(
  client: pg.Client,
  { role_is_there, user, superuser }: RoleState,
  { user: role, password }: Login,
): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const secret = pg.escapeLiteral(scramVerifier(password));
  if (role_is_there) {
    await client.query(`ALTER ROLE ${name} LOGIN PASSWORD ${secret}`);
    return;
  }
  await inOne(client, [
    `CREATE ROLE ${name} LOGIN PASSWORD ${secret}`,
    `COMMENT ON ROLE ${name} IS ${pg.escapeLiteral(noteOf(user))}`,
    // Who is no superuser has to be a member, to give the role anything and to go on reaching its database.
    ...(superuser ? [] : [`GRANT ${name} TO CURRENT_USER`]),
  ]);
}

async function makeDatabase(client: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  try {
    await client.query(`CREATE DATABASE ${name} OWNER ${name} ${IN_UTF8}`);
  } catch (error) {
    refuseLocale(role, error);
    // A service that was started by itself may be as quick.
    if (!ALREADY_THERE.has(codeOf(error))) throw error;
  }
}

/** All of it or nothing. */
async function giveDatabase({ user }: RoleState, database_url: string, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  await inDatabase(database_url, async (client) => {
    const owned = await ownedObjects(client, user);
    await inOne(client, [
      `SET LOCAL lock_timeout = ${LOCK_WITHIN_MS}`,
      // First: who owns the database may own what is in its schemas.
      `ALTER DATABASE ${name} OWNER TO ${name}`,
      ...owned.map((object) => `ALTER ${object} OWNER TO ${name}`),
      `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
    ]);
  });
}

/** One transaction, as statements in one message are: a failure of any leaves none. */
async function inOne(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query(statements.join(';\n'));
}

function inDatabase<T>(database_url: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ connectionString: database_url }, async (client) => {
    await client.query(BUILT_IN_ONLY);
    return await action(client);
  });
}
