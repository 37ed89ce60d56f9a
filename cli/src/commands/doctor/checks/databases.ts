import { checkServer } from '@gatehouse/kit/db/check-server';
import { withClient } from '@gatehouse/kit/db/with-client';
import { ConfigError } from '@gatehouse/kit/env';
import { DATABASE_SERVICES } from '@gatehouse/proto/services';
import type { DatabaseSetting } from '../database-settings.ts';
import { databaseSettings } from '../database-settings.ts';
import {
  type CheckContext,
  type Finding,
  ok,
  problem,
  STEP_TIMEOUT_MS,
  skipped,
  warning,
} from '../finding.ts';
import { migrationFindings } from './migrations.ts';

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** The oldest version that PostgreSQL's own developers still maintain, and the one that tests run with. */
const OLDEST_MAJOR = 14;
const TESTED_MAJOR = 18;

/** Checks the database of each service: login, version, rights of the role, encoding, pooler, migrations. */
export async function checkDatabases({ env }: CheckContext): Promise<readonly Finding[]> {
  const settings = databaseSettings(env);
  if (settings.length === 0)
    return [
      skipped(
        'databases',
        'npm start uses the embedded database: neither DATABASE_URL nor AUTH_DATABASE_URL is set',
      ),
    ];
  const findings = await Promise.all(settings.map(databaseFindings));
  return findings.flat();
}

async function databaseFindings(setting: DatabaseSetting): Promise<Finding[]> {
  const { service, variable, database_url } = setting;
  if (database_url === undefined)
    return [
      problem(
        service,
        `${variable} ${setting.problem ?? 'cannot be used'}`,
        'Correct it (docs/database.md).',
      ),
    ];
  const timeouts = { connectionTimeoutMillis: STEP_TIMEOUT_MS, query_timeout: STEP_TIMEOUT_MS };
  try {
    const [findings, server] = await Promise.all([
      withClient({ connectionString: database_url, ...timeouts }, (client) => inspect(client, setting)),
      serverFindings(setting.service, database_url),
    ]);
    return [...findings, ...server];
  } catch (error) {
    return [connectionFinding(setting, error as Error & { code?: string })];
  }
}

async function inspect(client: Client, setting: DatabaseSetting): Promise<Finding[]> {
  return [
    await versionFinding(client, setting),
    ...(await roleFindings(client, setting)),
    ...(await migrationFindings(client, setting.service)),
  ];
}

/** Encoding and pooler, as a service checks them when it starts. */
async function serverFindings(service: string, database_url: string): Promise<Finding[]> {
  try {
    await checkServer(database_url);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) return []; // the connection fails, which is reported once
    return error.problems.map((text) => problem(service, text, 'The service does not start with it.'));
  }
}

async function versionFinding(client: Client, { service }: DatabaseSetting): Promise<Finding> {
  const { rows } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const version = rows[0]?.version ?? '';
  const major = Number.parseInt(version, 10);
  if (major < OLDEST_MAJOR)
    return problem(
      service,
      `PostgreSQL ${version} is not maintained any more`,
      `Use version ${TESTED_MAJOR}.`,
    );
  if (major < TESTED_MAJOR)
    return warning(
      service,
      `PostgreSQL ${version}: tests run with ${TESTED_MAJOR}`,
      `Plan the update to ${TESTED_MAJOR}.`,
    );
  return ok(service, `PostgreSQL ${version}`);
}

interface Role {
  readonly name: string;
  readonly superuser: boolean;
  /** Databases of other services that it may open. */
  readonly others: readonly string[];
}

/** An injection in one service must not reach another's database. */
async function roleFindings(
  client: Client,
  { service, shared, variable }: DatabaseSetting,
): Promise<Finding[]> {
  const { name, superuser, others } = await roleOf(client, service);
  const find = shared ? warning : problem;
  const advice = shared
    ? `npm start makes each service a role of its own. For processes that you start: set ${variable} for each (docs/decisions/database-roles.md).`
    : 'Give the service a role that owns its database and nothing else, and REVOKE CONNECT on the others FROM PUBLIC (docs/decisions/database-roles.md).';
  if (superuser) return [find(service, `role ${name} is a superuser`, advice)];
  if (others.length > 0) return [find(service, `role ${name} may open ${others.join(', ')} too`, advice)];
  return [ok(service, `role ${name} may open no other service's database`)];
}

async function roleOf(client: Client, service: string): Promise<Role> {
  const suffix = service.replaceAll('-', '_');
  const base = (client.database ?? '').slice(0, -suffix.length);
  const names = DATABASE_SERVICES.filter((other) => other !== service).map(
    (other) => `${base}${other.replaceAll('-', '_')}`,
  );
  const { rows } = await client.query<Role>(
    `SELECT current_user AS name, rolsuper AS superuser,
            ARRAY(SELECT datname::text FROM pg_database
                   WHERE datname = ANY ($1::text[]) AND has_database_privilege(oid, 'CONNECT')
                   ORDER BY datname) AS others
       FROM pg_roles WHERE rolname = current_user`,
    [names],
  );
  return rows[0] ?? { name: 'unknown', superuser: false, others: [] };
}

function connectionFinding(
  { service, variable }: DatabaseSetting,
  { code, message }: Error & { code?: string },
): Finding {
  if (code === '3D000')
    return problem(service, message, 'The service creates it when it starts, if its user may; or create it.');
  if (code?.startsWith('28'))
    return problem(
      service,
      `the login is refused: ${message}`,
      `Correct user and password of ${variable}; % is %25 there.`,
    );
  return problem(
    service,
    `cannot be asked: ${message}`,
    `Start the server, or correct ${variable} (docs/database.md).`,
  );
}
