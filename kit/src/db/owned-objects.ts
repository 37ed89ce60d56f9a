import type { ClientBase } from 'pg';

/**
 * Lists the user's objects in the connected database, in the form that ALTER ... OWNER TO takes: schemas, tables,
 * views, sequences, routines and types. Leaves out objects that belong to a table, an extension or the server.
 * REASSIGN OWNED would also take every other database of the user.
 */
export async function ownedObjects(client: ClientBase, user: string): Promise<string[]> {
  const { rows } = await client.query<{ object: string }>(OWNED, [user]);
  return rows.map(({ object }) => object);
}

const OWNED = `
  WITH owner AS (SELECT oid FROM pg_roles WHERE rolname = $1::name),
  schemas AS (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'),
  parts AS (
    SELECT classid, objid FROM pg_depend LEFT JOIN pg_class ON classid = 'pg_class'::regclass AND oid = objid
     WHERE deptype = 'e' OR relkind = 'S' AND deptype IN ('a', 'i')
  )
  SELECT format('SCHEMA %I', nspname) AS object
    FROM pg_namespace
   WHERE nspowner = (TABLE owner) AND oid IN (TABLE schemas)
     AND ('pg_namespace'::regclass, oid) NOT IN (TABLE parts)
  UNION ALL
  SELECT format('%s %s', kind, pg_class.oid::regclass)
    FROM pg_class
    JOIN (VALUES ('r', 'TABLE'), ('p', 'TABLE'), ('f', 'FOREIGN TABLE'), ('v', 'VIEW'), ('m', 'MATERIALIZED VIEW'),
                 ('S', 'SEQUENCE')) AS kinds (letter, kind) ON relkind = letter::"char"
   WHERE relowner = (TABLE owner) AND relnamespace IN (TABLE schemas)
     AND ('pg_class'::regclass, pg_class.oid) NOT IN (TABLE parts)
  UNION ALL
  SELECT format('ROUTINE %s', oid::regprocedure)
    FROM pg_proc
   WHERE proowner = (TABLE owner) AND pronamespace IN (TABLE schemas)
     AND ('pg_proc'::regclass, oid) NOT IN (TABLE parts)
  UNION ALL
  SELECT format('TYPE %s', pg_type.oid::regtype)
    FROM pg_type LEFT JOIN pg_class ON pg_class.oid = typrelid
   WHERE typowner = (TABLE owner) AND typnamespace IN (TABLE schemas)
     AND (typtype IN ('e', 'd', 'r') OR relkind = 'c')
     AND ('pg_type'::regclass, pg_type.oid) NOT IN (TABLE parts)`;
