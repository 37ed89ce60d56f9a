import { SCHEMA_MIGRATION_TABLE } from '@gatehouse/kit/db/migrate';
import { readMigrations } from '@gatehouse/kit/db/migrations';
import pg from 'pg';

/**
 * The order of `events` is that of one server's transactions, so readers start over after a restore (docs/backup.md).
 */
const LEFT_OUT = ['events'];

interface Table {
  readonly name: string;
  /** Tables that its foreign keys name. */
  readonly references: readonly string[];
  readonly columns: readonly string[];
  readonly has_triggers: boolean;
}

/**
 * A database as SQL: the migrations that made its schema, then its rows. Equal databases give equal text. pg_dump is not
 * used, because the embedded PostgreSQL comes without it.
 */
export async function dumpDatabase(client: pg.Client, migrations_dir: string): Promise<string> {
  const migrations = await readMigrations(migrations_dir);
  const tables = inReferenceOrder(await readTables(client));
  const names = tables.map(({ name }) => name);
  const triggers = (what: 'DISABLE' | 'ENABLE') =>
    tables.filter((one) => one.has_triggers).map(({ name }) => `ALTER TABLE ${name} ${what} TRIGGER USER;`);
  const parts = [
    ...migrations.map(({ name, sql }) => `-- ${name}\n\n${sql.trim()}\n`),
    `${SCHEMA_MIGRATION_TABLE};\n`,
    '-- Data\n',
    ...triggers('DISABLE'),
    `TRUNCATE ${names.join(', ')};\n`,
  ];
  for (const table of tables) {
    const rows = LEFT_OUT.includes(table.name) ? [] : await readRows(client, table);
    if (rows.length > 0) parts.push(insertStatement(table, rows));
  }
  parts.push(...(await readSequences(client)), ...triggers('ENABLE'));
  return `${parts.join('\n')}\n`;
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT relname AS name,
           ARRAY(SELECT confrelid::regclass::text FROM pg_constraint
                  WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS references,
           ARRAY(SELECT attname::text FROM pg_attribute
                  WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                  ORDER BY attnum) AS columns,
           EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal) AS has_triggers
      FROM pg_class c
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     ORDER BY relname`);
  return rows;
}

/** Each table after those that it references. */
function inReferenceOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  const add = (table: Table): void => {
    if (ordered.includes(table)) return;
    for (const name of table.references) {
      const referenced = tables.find((one) => one.name === name);
      if (referenced !== undefined) add(referenced);
    }
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}

async function readRows(client: pg.Client, { name, columns }: Table): Promise<string[]> {
  const literals = columns.map((column) => `quote_nullable(${pg.escapeIdentifier(column)}::text)`);
  const { rows } = await client.query<{ line: string }>(
    `SELECT concat_ws(', ', ${literals.join(', ')}) AS line FROM ${name}`,
  );
  return rows.map(({ line }) => line).sort();
}

function insertStatement({ name, columns }: Table, rows: readonly string[]): string {
  const names = columns.map(pg.escapeIdentifier).join(', ');
  const values = rows.map((row) => `  (${row})`).join(',\n');
  return `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE VALUES\n${values};\n`;
}

async function readSequences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; last_value: string }>(
    'SELECT sequencename AS name, last_value FROM pg_sequences WHERE last_value IS NOT NULL ORDER BY 1',
  );
  return rows.map(({ name, last_value }) => `SELECT setval('${name}', ${last_value});`);
}
