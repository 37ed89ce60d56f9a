import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Migration {
  /** The file's name, NNNN_what.sql. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text with normalized line endings. */
  readonly checksum: string;
}

/**
 * Reads a folder's migrations in the order of their numbers.
 *
 * @throws Error for a misnamed file, a number used twice, or a file that ends its own transaction
 */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
      throw new Error(`migration ${name} is not named NNNN_what.sql`);
    const before = migrations.at(-1)?.name;
    if (before?.slice(0, 4) === name.slice(0, 4))
      throw new Error(`migrations ${before} and ${name} share a number`);
    migrations.push(await readMigration(dir, name));
  }
  return migrations;
}

async function readMigration(dir: string, name: string): Promise<Migration> {
  const sql = (await readFile(join(dir, name), 'utf8')).replaceAll('\r\n', '\n');
  // Each file runs in a transaction that also records it, so a file must not end its transaction.
  if (/^\s*(?:BEGIN|COMMIT|ROLLBACK)\s*;/im.test(sql)) {
    throw new Error(`migration ${name} must leave BEGIN and COMMIT to the migrator`);
  }
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
