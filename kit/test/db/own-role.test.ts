import { randomBytes } from 'node:crypto';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, inMaintenanceDatabase, maintenanceUrl } from '../../src/db/create-database.ts';
import { loginOf, withLogin } from '../../src/db/login.ts';
import { NoOwnRole, ownRole } from '../../src/db/own-role.ts';
import { openPool } from '../../src/db/pool.ts';
import { rolePasswords } from '../../src/db/role-passwords.ts';

let passwordOf: (role: string) => string;
beforeAll(async () => {
  passwordOf = await rolePasswords({ user: 'admin', password: 'secret' });
});

const made: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of made.splice(0).reverse()) await undo();
});

/** A database that does not exist yet, and an administrator's connection to its server. */
async function newDatabase(): Promise<string> {
  const url = await testDatabaseUrl('own_role');
  made.push(
    () => dropRole(url, nameOf(url)),
    () => dropTestDatabase(url),
  );
  return url;
}

/** The database's URL for its own role, which the URL's user creates. */
async function ownUrl(url: string, passwords = passwordOf): Promise<string> {
  const admin = openPool({ database_url: maintenanceUrl(url), application_name: 'test', max: 1 });
  try {
    return withLogin(url, await ownRole(admin, url, passwords));
  } finally {
    await admin.end();
  }
}

const userOf = (url: string) => loginOf(url)?.user ?? '';
const nameOf = (url: string) => new URL(url).pathname.slice(1);
const quoted = (name: string) => pg.escapeIdentifier(name);
const dropRole = (url: string, role: string) =>
  inMaintenanceDatabase(url, (client) => client.query(`DROP ROLE IF EXISTS ${quoted(role)}`));

/** A role of this test; it is dropped after the objects that it owns. */
async function addRole(url: string, attributes: string): Promise<string> {
  const user = `${nameOf(url)}_${randomBytes(2).toString('hex')}`;
  await inMaintenanceDatabase(url, (client) =>
    client.query(`CREATE ROLE ${quoted(user)} LOGIN PASSWORD 'pass' ${attributes}`),
  );
  made.unshift(() => dropRole(url, user));
  return withLogin(url, { user, password: 'pass' });
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

test('a role owns its database, and cannot connect to another', async () => {
  const [one, other] = [await newDatabase(), await newDatabase()];
  const [oneUrl, otherUrl] = await Promise.all([one, other].map((url) => ownUrl(url)));
  await query(oneUrl ?? '', 'CREATE SCHEMA s CREATE TABLE t (id bigint)');
  await query(otherUrl ?? '', 'CREATE TABLE t (id bigint)');
  const crossed = withLogin(other, loginOf(oneUrl ?? '') ?? { user: '', password: '' });
  await expect(query(crossed, 'SELECT 1')).rejects.toThrow('permission denied for database');
  expect(
    await query(
      oneUrl ?? '',
      `SELECT rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
              (SELECT count(*)::int FROM pg_auth_members WHERE member = oid) AS memberships
         FROM pg_roles WHERE rolname = current_user`,
    ),
  ).toEqual([
    {
      rolname: nameOf(one),
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      memberships: 0,
    },
  ]);
  const wrong = withLogin(one, { user: nameOf(one), password: 'guess' });
  await expect(query(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('functions that a role leaves in its database never run with the privileges of the user', async () => {
  const url = await newDatabase();
  const role = quoted(nameOf(url));
  const isSuperuser = () => query(url, 'SELECT rolsuper FROM pg_roles WHERE rolname = $1', [nameOf(url)]);
  await query(
    await ownUrl(url),
    `CREATE FUNCTION public.take_over(name, name) RETURNS boolean LANGUAGE plpgsql AS $$
     BEGIN
       IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN ALTER ROLE ${role} SUPERUSER; END IF;
       RETURN $1::text !~ $2::text;
     END $$;
     CREATE OPERATOR public.!~ (LEFTARG = name, RIGHTARG = name, FUNCTION = public.take_over);
     GRANT CONNECT ON DATABASE ${role} TO PUBLIC -- so that the user connects again`,
  );
  await ownUrl(url);
  expect(await isSuperuser()).toEqual([{ rolsuper: false }]);
});

test('a role that is locked out of its database does not gain the login of the user', async () => {
  const url = await newDatabase();
  const name = quoted(nameOf(url));
  await query(await ownUrl(url), `ALTER DATABASE ${name} CONNECTION LIMIT 0`);
  const refused = await ownUrl(url).catch((error: unknown) => error);
  expect(refused).not.toBeInstanceOf(NoOwnRole);
  expect(String(refused)).toMatch(/role .* has its database and cannot be used: .* cannot log in/);
  await query(
    url,
    `ALTER DATABASE ${name} CONNECTION LIMIT -1; ALTER ROLE ${name} SET statement_timeout = 1`,
  );
  expect(await ownUrl(url).catch((error: unknown) => error)).not.toBeInstanceOf(NoOwnRole);
});

test('a settled database is left alone, and concurrent starts may settle it', async () => {
  const url = await newDatabase();
  const all = await Promise.all(Array.from({ length: 8 }, () => ownUrl(url)));
  expect(new Set(all).size).toBe(1);
  const state = () => query(url, 'SELECT rolpassword, xmin FROM pg_authid WHERE rolname = $1', [nameOf(url)]);
  const before = await state();
  expect(await ownUrl(url)).toBe(all[0]);
  expect(await state()).toEqual(before);
  expect(before[0]?.rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
});

test('an existing database is transferred to its role with all its objects, while it is in use', async () => {
  const url = await newDatabase();
  await createDatabase(url);
  await query(
    url,
    `CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, old serial);
     CREATE TABLE whole (id bigint) PARTITION BY RANGE (id);
     CREATE TABLE part PARTITION OF whole FOR VALUES FROM (0) TO (9);
     CREATE SEQUENCE alone;
     CREATE VIEW seen AS SELECT * FROM plain;
     CREATE MATERIALIZED VIEW kept AS SELECT * FROM plain;
     CREATE TYPE mood AS ENUM ('good');
     CREATE TYPE pair AS (a int, b int);
     CREATE TYPE span AS RANGE (subtype = float8);
     CREATE DOMAIN small AS int CHECK (VALUE < 9);
     CREATE FUNCTION one(mood, int DEFAULT 1) RETURNS int LANGUAGE sql AS 'SELECT 1';
     CREATE PROCEDURE nothing() LANGUAGE sql AS 'SELECT 1';
     CREATE SCHEMA "In it";
     CREATE TABLE "In it"."It's" (id bigint);
     INSERT INTO plain DEFAULT VALUES`,
  );
  const beside = new pg.Client({ connectionString: url });
  await beside.connect();
  await beside.query('SELECT * FROM plain');

  const role = await ownUrl(url);
  const left = await query(
    role,
    `SELECT relname AS name FROM pg_class WHERE relowner <> current_user::regrole AND oid >= 16384
      UNION ALL SELECT proname FROM pg_proc WHERE proowner <> current_user::regrole AND oid >= 16384
      UNION ALL SELECT typname FROM pg_type WHERE typowner <> current_user::regrole AND oid >= 16384
      UNION ALL SELECT nspname FROM pg_namespace WHERE nspowner <> current_user::regrole AND oid >= 16384`,
  );
  expect(left).toEqual([]);
  await query(
    role,
    `ALTER TABLE plain ADD COLUMN more int; ALTER TABLE part ADD CHECK (id > 0); DROP TABLE "In it"."It's"`,
  );
  expect(await query(role, 'SELECT id FROM plain')).toEqual([{ id: '1' }]);
  expect((await beside.query('SELECT id FROM plain')).rows).toEqual([{ id: '1' }]);
  await beside.end();

  await query(url, 'CREATE TABLE later (id bigint)');
  expect(await ownUrl(url)).toBe(role);
  await query(role, 'ALTER TABLE later ADD COLUMN more int');
});

test('the next start finishes the work of an interrupted one', async () => {
  const url = await newDatabase();
  const role = await ownUrl(url);
  await query(url, `GRANT CONNECT ON DATABASE ${quoted(nameOf(url))} TO PUBLIC`);
  expect(await ownUrl(url)).toBe(role);
  const [{ open } = {}] = await query(url, "SELECT has_database_privilege('public', $1, 'CONNECT') AS open", [
    nameOf(url),
  ]);
  expect(open).toBe(false);

  await dropTestDatabase(url);
  expect(await ownUrl(url)).toBe(role);
  await query(role, 'CREATE TABLE t ()');
});

test("the password changes with the user's", async () => {
  const url = await newDatabase();
  const before = await ownUrl(url);
  const after = await ownUrl(url, await rolePasswords({ user: 'admin', password: 'another' }));
  await expect(query(before, 'SELECT 1')).rejects.toThrow('password authentication failed');
  expect(await query(after, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

describe('a user without superuser privileges', () => {
  test('creates roles and databases, transfers its own objects, and can still reach them', async () => {
    const url = await newDatabase();
    const user = await addRole(url, 'CREATEROLE CREATEDB');
    await createDatabase(user);
    await query(user, 'CREATE TABLE t AS SELECT 1 AS id');
    const role = await ownUrl(user);
    await query(role, 'ALTER TABLE t ADD COLUMN more int');
    expect(await query(user, 'SELECT id FROM t')).toEqual([{ id: 1 }]);
    expect(await ownUrl(user)).toBe(role);
    const fresh = await newDatabase();
    const own = await ownUrl(withLogin(fresh, loginOf(user) ?? { user: '', password: '' }));
    await query(own, 'CREATE TABLE t ()');
  });

  test('gets an error without CREATEROLE, and nothing changes', async () => {
    const url = await newDatabase();
    const user = await addRole(url, 'CREATEDB');
    await createDatabase(user);
    await query(user, 'CREATE TABLE t ()');
    await expect(ownUrl(user)).rejects.toThrow(new NoOwnRole('the user may not make roles'));
    await query(user, 'DROP TABLE t');
    expect(await query(url, 'SELECT FROM pg_roles WHERE rolname = $1', [nameOf(url)])).toEqual([]);
  });
});

test("another user does not change the role's password, even as superuser", async () => {
  const url = await newDatabase();
  const role = await ownUrl(url);
  const superuser = await addRole(url, 'SUPERUSER');
  const passwords = await rolePasswords({ user: userOf(superuser), password: 'pass' });
  await expect(ownUrl(superuser, passwords)).rejects.toThrow(/there is a role .* did not make/);
  expect(await query(role, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test("somebody else's role or database of that name is left alone", async () => {
  const url = await newDatabase();
  await inMaintenanceDatabase(url, (client) =>
    client.query(`CREATE ROLE ${quoted(nameOf(url))} LOGIN PASSWORD 'theirs'`),
  );
  await expect(ownUrl(url)).rejects.toThrow(/there is a role .* already/);
  await createDatabase(url);
  expect(await query(withLogin(url, { user: nameOf(url), password: 'theirs' }), 'SELECT 1 AS one')).toEqual([
    { one: 1 },
  ]);

  const another = await newDatabase();
  const theirs = await addRole(another, 'CREATEDB');
  await createDatabase(theirs);
  const owner = userOf(theirs);
  await expect(ownUrl(another)).rejects.toThrow(
    new NoOwnRole(`database ${nameOf(another)} belongs to ${owner}`),
  );
  await query(theirs, 'CREATE TABLE t ()');
});

test('passwords are derived from user and password, and differ between roles', async () => {
  const again = await rolePasswords({ user: 'admin', password: 'secret' });
  expect(again('a')).toBe(passwordOf('a'));
  const others = await Promise.all([
    rolePasswords({ user: 'admin', password: 'secret2' }),
    rolePasswords({ user: 'admin2', password: 'secret' }),
  ]);
  const passwords = [passwordOf('a'), passwordOf('b'), ...others.map((other) => other('a'))];
  expect(new Set(passwords).size).toBe(4);
  for (const password of passwords) expect(password).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test.each([
  ['a user and a password', 'postgresql://u:p%40@h/db?connect_timeout=5', { user: 'u', password: 'p@' }],
  ['parameters', 'postgresql://x:y@h/db?user=u&password=p', { user: 'u', password: 'p' }],
  ['a socket', 'postgresql:///db?host=/run/postgresql&user=u&password=p', { user: 'u', password: 'p' }],
])('a login is read from %s, and replaced there', (_, url, login) => {
  expect(loginOf(url)).toEqual(login);
  const other = { user: 'some one', password: 'a/b:c' };
  const replaced = withLogin(url, other);
  expect(loginOf(replaced)).toEqual(other);
  const client = new pg.Client({ connectionString: replaced });
  expect([client.user, client.password, client.database]).toEqual([other.user, other.password, 'db']);
});
