import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readMigrations } from '@gatehouse/kit/db/migrations';
import type { withClient } from '@gatehouse/kit/db/with-client';
import { SERVICES, type ServiceName } from '@gatehouse/proto/services';
import { type Finding, ok, problem, skipped, warning } from '../finding.ts';

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

const ROOT = new URL('../../../../../', import.meta.url);
const MIGRATE =
  'The service migrates when it starts; or run its main.ts with the argument migrate (docs/operations.md#changing-a-release).';

/** Compares the migrations of a database with the files of this version. */
export async function migrationFindings(client: Client, service: ServiceName): Promise<Finding[]> {
  const folder = fileURLToPath(new URL(`${SERVICES[service].folder}/migrations`, ROOT));
  if (!existsSync(folder)) return [skipped(service, 'the migrations of this version are not installed here')];
  const files = await readMigrations(folder);
  const applied = await appliedTo(client);
  if (applied === undefined) return [problem(service, 'the database was never migrated', MIGRATE)];
  const pending = files.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  const known = new Set(files.map(({ name }) => name));
  const ahead = [...applied.keys()].filter((name) => !known.has(name));
  const edited = files.filter(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum);
  const findings = [
    ...(pending.length > 0
      ? [problem(service, `these migrations are not applied: ${pending.join(', ')}`, MIGRATE)]
      : []),
    ...edited.map(({ name }) =>
      problem(
        service,
        `migration ${name} differs from the applied one`,
        'Run the version that migrated the database.',
      ),
    ),
    ...(ahead.length > 0
      ? [
          warning(
            service,
            `a later version has migrated: ${ahead.join(', ')}`,
            'Update the processes of this version.',
          ),
        ]
      : []),
  ];
  return findings.length > 0 ? findings : [ok(service, 'all migrations are applied')];
}

/** Checksums by name; undefined without the table of migrations. */
async function appliedTo(client: Client): Promise<ReadonlyMap<string, string> | undefined> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('schema_migration') IS NOT NULL AS exists",
  );
  if (tables[0]?.exists !== true) return undefined;
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migration',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}
