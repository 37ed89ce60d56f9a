import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { withClient } from '@gatehouse/kit/db/with-client';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { PROCESSES } from '@gatehouse/stack/processes';
import { startStack } from '@gatehouse/stack/start-stack';
import { dumpDatabase } from './dump-database.ts';
import { restoreDatabase } from './restore-database.ts';
import { createSampleData, type SampleData } from './sample-data.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A folder for each release. */
const FOLDER = fileURLToPath(new URL('data', import.meta.url));
const FACTS = 'sample-data.json';
const SERVICES = PROCESSES.filter(({ has_database }) => has_database).map(({ name }) => name);

export interface ReleasedData extends SampleData {
  readonly dumped_at: string;
  readonly auth_secret_key: string;
}

/** The releases whose data is kept, oldest first. */
export function releasesWithData(): string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

export function readReleasedData(version: string): ReleasedData {
  return JSON.parse(readFileSync(join(FOLDER, version, FACTS), 'utf8'));
}

/** Makes the databases of a release on a server. @param database_url as DATABASE_URL of `npm start` */
export async function restoreReleasedData(version: string, database_url: string): Promise<void> {
  const dumped_at = new Date(readReleasedData(version).dumped_at);
  for (const service of SERVICES) {
    const file = join(FOLDER, version, `${service}.sql`);
    // A later service has no data of this release, and starts on an empty database.
    if (existsSync(file))
      await restoreDatabase({ database_url: databaseUrl(database_url, service), file, dumped_at });
  }
}

/** Starts this version on an empty server, creates sample data, and writes a dump of each database. */
export async function writeReleasedData(version: string, auth_secret_key: string): Promise<void> {
  const resources = resourceStack();
  try {
    const folder = await testDataFolder('release');
    resources.add('folder', folder.remove);
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder.path, 'postgres') });
    resources.add('postgres', postgres.close);
    const stack = await startStack({
      port: 0,
      data_dir: folder.path,
      database_url: postgres.url,
      one_process: true,
      env: { AUTH_SECRET_KEY: auth_secret_key, LOG_LEVEL: 'warn' },
    });
    const sample = await createSampleData(stack.url).finally(stack.close);

    const files: Record<string, string> = {};
    for (const service of SERVICES) {
      const migrations = join(ROOT, 'services', service, 'migrations');
      const connectionString = databaseUrl(postgres.url, service);
      files[`${service}.sql`] = await withClient({ connectionString }, (client) =>
        dumpDatabase(client, migrations),
      );
    }
    const facts: ReleasedData = { dumped_at: new Date().toISOString(), auth_secret_key, ...sample };
    files[FACTS] = `${JSON.stringify(facts, null, 2)}\n`;

    mkdirSync(join(FOLDER, version), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(FOLDER, version, name), text);
  } finally {
    await resources.close();
  }
}
