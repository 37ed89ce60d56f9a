import pg from 'pg';
import {
  ALREADY_EXISTS,
  IN_UTF8,
  inMaintenanceDatabase,
  sqlStateOf,
  throwIfLocaleForbidsUtf8,
} from './create-database.ts';
import { type Login, withLogin } from './login.ts';
import { ownedObjects } from './owned-objects.ts';
import { scramVerifier } from './role-passwords.ts';
import { withClient } from './with-client.ts';

/** The database cannot get a role of its own. The message has the reason. */
export class NoOwnRole extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoOwnRole';
  }
}

/** An arbitrary number that every version uses; the second key of the advisory lock is the role. */
const OWN_ROLE_LOCK = 0x72_6f_6c_65;
/** Roles without this comment are left alone: another user would set another password. */
const commentOf = (user: string) => `owns the database of its name; made by Gatehouse for ${user}`;
/**
 * Set on every connection of the user. A role may create functions and operators in its database, and PostgreSQL
 * would prefer one of them to a built-in of the same name that matches less well, and run it with the user's
 * privileges.
 */
const BUILT_IN_ONLY = 'SET search_path TO pg_catalog, pg_temp';
/** A statement of a running service may hold a table's lock for a moment. */
const TABLE_LOCK_TIMEOUT_MS = 5_000;
/** Another start may hold the lock while it does the same work. */
const OWN_ROLE_LOCK_TIMEOUT_MS = 20_000;

/**
 * Ensures that a database exists, belongs with all its objects to a role of the same name, and accepts connections
 * only from that role, its members and superusers. The role has no other privileges. Safe to run concurrently, and
 * while the database is in use.
 *
 * @param admin a pool of the user who creates roles and databases, connected to any database of the server
 * @param database_url the URL of the database, for the same user
 * @param passwordOf the password for a role of this name (./role-passwords.ts)
 * @returns the role's login
 * @throws NoOwnRole if that is not possible, or the role or the database belongs to somebody else; another error if
 * the role has its database already but cannot log in
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
    // Not NoOwnRole: the caller would then use the user's login, which a service could gain by locking its role out.
    if (has_database)
      throw new Error(`role ${role} has its database and cannot be used: ${String(error)}`, { cause: error });
    if (error instanceof pg.DatabaseError) throw new NoOwnRole(error.message, error);
    throw error;
  }
}

/** The state of a role and of the database of its name. */
interface RoleState {
  /** The user who is logged in. */
  readonly user: string;
  readonly superuser: boolean;
  readonly can_create_roles: boolean;
  readonly role_exists: boolean;
  readonly database_exists: boolean;
  /** The role exists, and has received its database, which may have been dropped since. */
  readonly has_database: boolean;
  /** The role owns the database, and nobody else may connect. */
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

/** @throws NoOwnRole if the role or the database belongs to somebody else */
async function roleStateOf(client: pg.ClientBase, role: string): Promise<RoleState> {
  const { rows } = await client.query<
    Omit<RoleState, 'has_database'> & { note: string | null; owner: string | null }
  >(
    `SELECT me.rolname AS user, me.rolsuper AS superuser, me.rolsuper OR me.rolcreaterole AS can_create_roles,
            own.oid IS NOT NULL AS role_exists, shobj_description(own.oid, 'pg_authid') AS note,
            datname IS NOT NULL AS database_exists, pg_get_userbyid(datdba) AS owner,
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
  const { note, owner, ...state } = found;
  if (state.role_exists && note !== commentOf(state.user))
    throw new NoOwnRole(`there is a role ${role} already, which ${state.user} did not make`);
  if (owner !== null && owner !== role && owner !== state.user)
    throw new NoOwnRole(`database ${role} belongs to ${owner}`);
  return { ...state, has_database: state.role_exists && owner !== state.user };
}

/**
 * Whether nothing is left to do, as at nearly every start. Tests the login only if the role exists, because servers log
 * failed logins.
 */
async function isSettled({ owned, user }: RoleState, database_url: string, login: Login): Promise<boolean> {
  if (!owned) return false;
  try {
    const role_url = withLogin(database_url, login);
    return await inDatabase(role_url, async (client) => (await ownedObjects(client, user)).length === 0);
  } catch (error) {
    if (error instanceof pg.DatabaseError) return false; // The role has another password.
    throw error;
  }
}

async function settle(database_url: string, login: Login): Promise<void> {
  const { user: role } = login;
  await inMaintenanceDatabase(database_url, async (client) => {
    await client.query(BUILT_IN_ONLY);
    // The session holds the lock until it ends. Every user who may connect can take it.
    await client.query(`SET lock_timeout = ${OWN_ROLE_LOCK_TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [OWN_ROLE_LOCK, role]);
    const state = await roleStateOf(client, role);
    if (!state.can_create_roles) throw new NoOwnRole('the user may not make roles');
    await createRole(client, state, login);
    if (!state.database_exists) await createOwnDatabase(client, role);
    await giveDatabase(state, database_url, role);
  });
}

/** Creates the role with this password and no privileges. An existing role gets the password. */
async function createRole(
  client: pg.Client,
  { role_exists, user, superuser }: RoleState,
  { user: role, password }: Login,
): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const secret = pg.escapeLiteral(scramVerifier(password));
  if (role_exists) {
    await client.query(`ALTER ROLE ${name} LOGIN PASSWORD ${secret}`);
    return;
  }
  await inOneTransaction(client, [
    `CREATE ROLE ${name} LOGIN PASSWORD ${secret}`,
    `COMMENT ON ROLE ${name} IS ${pg.escapeLiteral(commentOf(user))}`,
    // A user who is not a superuser must be a member of the role, to grant to it and to connect to its database.
    ...(superuser ? [] : [`GRANT ${name} TO CURRENT_USER`]),
  ]);
}

async function createOwnDatabase(client: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  try {
    await client.query(`CREATE DATABASE ${name} OWNER ${name} ${IN_UTF8}`);
  } catch (error) {
    throwIfLocaleForbidsUtf8(role, error);
    // Another service may create it at the same time.
    if (!ALREADY_EXISTS.has(sqlStateOf(error))) throw error;
  }
}

/** Transfers the database with its objects, in one transaction. */
async function giveDatabase({ user }: RoleState, database_url: string, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  await inDatabase(database_url, async (client) => {
    const owned = await ownedObjects(client, user);
    await inOneTransaction(client, [
      `SET LOCAL lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`,
      // First, because the owner of a database may own the objects in its schemas.
      `ALTER DATABASE ${name} OWNER TO ${name}`,
      ...owned.map((object) => `ALTER ${object} OWNER TO ${name}`),
      `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
    ]);
  });
}

/** Statements in one message form one transaction: if one fails, none takes effect. */
async function inOneTransaction(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query(statements.join(';\n'));
}

function inDatabase<T>(database_url: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ connectionString: database_url }, async (client) => {
    await client.query(BUILT_IN_ONLY);
    return await action(client);
  });
}
