import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openPool } from '@gatehouse/kit/db/pool';
import type { Pool } from 'pg';
import { testDatabase } from './test-database.ts';

interface Column {
  readonly table: string;
  readonly column: string;
  /** PostgreSQL's internal name: int8, text, timestamptz(3), _text for text[]. */
  readonly type: string;
  readonly nullable: boolean;
}

/**
 * Lists the differences between the models of a service's schema.prisma and its migrated tables: columns that only
 * one of them has, types, nullability. Tables may lack a model.
 *
 * @param service the service's folder, which has both
 */
export async function schemaDifferences(service: URL): Promise<string[]> {
  const schema = await readFile(new URL('schema.prisma', service), 'utf8');
  const database = await testDatabase(fileURLToPath(new URL('migrations', service)), 'schema');
  const db = openPool({ database_url: database.database_url, application_name: 'test' });
  try {
    return await differences(db, schema);
  } finally {
    await db.end();
    await database.drop();
  }
}

async function differences(db: Pool, schema: string): Promise<string[]> {
  const modelled = new Map(readModels(schema).map((column) => [describePlace(column), column]));
  const tables = [...new Set([...modelled.values()].map(({ table }) => table))];
  const built = new Map((await readTables(db, tables)).map((column) => [describePlace(column), column]));
  return [...new Set([...modelled.keys(), ...built.keys()])].flatMap((place) => {
    const model = describe(modelled.get(place));
    const table = describe(built.get(place));
    return model === table ? [] : [`${place}: ${model} in schema.prisma, ${table} in the database`];
  });
}

function describePlace({ table, column }: Column): string {
  return `${table}.${column}`;
}

function describe(column: Column | undefined): string {
  if (column === undefined) return 'missing';
  return `${column.type}${column.nullable ? '' : ' NOT NULL'}`;
}

async function readTables(db: Pool, tables: readonly string[]): Promise<Column[]> {
  const { rows } = await db.query<Column>(
    `SELECT table_name AS table, column_name AS column, is_nullable = 'YES' AS nullable,
            udt_name || CASE WHEN udt_name IN ('timestamptz', 'timestamp')
                             THEN '(' || datetime_precision || ')' ELSE '' END AS type
       FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ANY ($1)`,
    [tables],
  );
  return rows;
}

/** Reads scalar fields; relations name another model and have no column. */
function readModels(schema: string): Column[] {
  const models = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => ({
    table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
    fields: [...body.matchAll(/^ {2}(\w+) +(\w+)(\[\])?(\?)?(.*)$/gm)],
  }));
  return models.flatMap(({ table, fields }) =>
    fields.flatMap(([, name = '', type = '', list, optional, attributes = '']) => {
      const native = nativeType(type, attributes);
      if (native === undefined) return [];
      return [
        {
          table,
          column: /@map\("(\w+)"\)/.exec(attributes)?.[1] ?? name,
          type: list === undefined ? native : `_${native}`,
          nullable: optional !== undefined,
        },
      ];
    }),
  );
}

/** Undefined for a relation. */
function nativeType(type: string, attributes: string): string | undefined {
  const [, chosen] = /@db\.(\w+(?:\(\d+\))?)/.exec(attributes) ?? [];
  return NATIVE_TYPES[chosen ?? type] ?? chosen?.toLowerCase();
}

/** https://www.prisma.io/docs/orm/core-concepts/supported-databases/postgresql */
const NATIVE_TYPES: Readonly<Record<string, string>> = {
  BigInt: 'int8',
  Boolean: 'bool',
  Bytes: 'bytea',
  DateTime: 'timestamp(3)',
  Int: 'int4',
  Json: 'jsonb',
  SmallInt: 'int2',
  String: 'text',
};
