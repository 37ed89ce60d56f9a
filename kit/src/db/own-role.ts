import pg from 'pg';
import { ALREADY_THERE, codeOf, IN_UTF8, onServer, refuseLocale } from './create-database.ts';
import { type Login, withLogin } from './login.ts';
import { ownedObjects } from './owned-objects.ts';
import { scramVerifier } from './role-passwords.ts';
import { withClient } from './with-client.ts';

/** A role for the database cannot be provided, for the reason in the message. */
export class NoOwnRole extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoOwnRole';
  }
}

/** An arbitrary number that every version uses; the second key of the advisory lock is the role. */
const LOCK = 0x72_6f_6c_65;
/** Roles without this comment are left alone: another user would set another password. */
const noteOf = (user: string) => `owns the database of its name; made by Gatehouse for ${user}`;
/**
 * Set on every connection of the user. A role may create functions and operators in its database, and PostgreSQL
 * would prefer one of them to a built-in of the same name that matches less well, and run it with the user's
 * privileges.
 */
const BUILT_IN_ONLY = 'SET search_path TO pg_catalog, pg_temp';
/** A statement of a running service may lock a table for a moment. */
const LOCK_WITHIN_MS = 5_000;
/** Other starts that do the same go first. */
const TURN_WITHIN_MS = 20_000;

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
    // A role that is locked out must not gain the user's login by that.
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
  readonly may_make_roles: boolean;
  readonly role_is_there: boolean;
  readonly database_is_there: boolean;
  /** The role exists, and an earlier start gave it the database, unless it was dropped since. */
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
 * Whether nothing is left to do, as at nearly every start. Logs in to find out, but never as a missing role: servers
 * log failed logins.
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
  await onServer(database_url, async (client) => {
    await client.query(BUILT_IN_ONLY);
    // The session holds the lock, and its end releases it. Anybody who may connect can take it.
    await client.query(`SET lock_timeout = ${TURN_WITHIN_MS}`);
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK, role]);
    const standing = await roleStateOf(client, role);
    if (!standing.may_make_roles) throw new NoOwnRole('the user may not make roles');
    await makeRole(client, standing, login);
    if (!standing.database_is_there) await makeDatabase(client, role);
    await giveDatabase(standing, database_url, role);
  });
}

/** With this password, and without any other privilege for a new role. */
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
    // A user who is no superuser must be a member, to grant the role anything and to keep reaching its database.
    ...(superuser ? [] : [`GRANT ${name} TO CURRENT_USER`]),
  ]);
}

async function makeDatabase(client: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  try {
    await client.query(`CREATE DATABASE ${name} OWNER ${name} ${IN_UTF8}`);
  } catch (error) {
    refuseLocale(role, error);
    // A service that starts at the same time may be faster.
    if (!ALREADY_THERE.has(codeOf(error))) throw error;
  }
}

/** All or nothing: one transaction. */
async function giveDatabase({ user }: RoleState, database_url: string, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  await inDatabase(database_url, async (client) => {
    const owned = await ownedObjects(client, user);
    await inOne(client, [
      `SET LOCAL lock_timeout = ${LOCK_WITHIN_MS}`,
      // First, because the owner of a database may own the objects in its schemas.
      `ALTER DATABASE ${name} OWNER TO ${name}`,
      ...owned.map((object) => `ALTER ${object} OWNER TO ${name}`),
      `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
    ]);
  });
}

/** Statements in one message form one transaction: if one fails, none takes effect. */
async function inOne(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query(statements.join(';\n'));
}

function inDatabase<T>(database_url: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ connectionString: database_url }, async (client) => {
    await client.query(BUILT_IN_ONLY);
    return await action(client);
  });
}
