import { inMaintenanceDatabase } from '@gatehouse/kit/db/create-database';
import { testDataFolder } from '../data-folder.ts';
import { inContainer, onlyContainers } from '../programs/in-container.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

export interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

const CONTAINER_TIMEOUT_MS = 120_000;
/** Test data need not survive a power failure. */
const VOLATILE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/**
 * Opens a PostgreSQL server for a test run: the one in GATEHOUSE_TEST_DATABASE_URL, else a container
 * (../programs/in-container.ts), else the embedded one on a temporary folder. Closing it removes everything of the
 * run.
 */
export async function startTestPostgres(prefix: string): Promise<TestServer> {
  if (prefix === '') throw new Error('without a prefix a run would drop what is not its own');
  const url = process.env.GATEHOUSE_TEST_DATABASE_URL;
  if (url && !onlyContainers()) return { url, close: () => dropEverything(url, prefix) };
  return (await inContainer('PostgreSQL', containerPostgres)) ?? embeddedPostgres();
}

async function containerPostgres(): Promise<TestServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const flags = Object.entries(VOLATILE).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const container = await new GenericContainer('postgres:18')
    .withEnvironment({ POSTGRES_PASSWORD: 'test' })
    .withExposedPorts(5432)
    .withCommand(['postgres', ...flags])
    // Over TCP, because the image's own setup runs the server on a socket only.
    .withWaitStrategy(Wait.forSuccessfulCommand('pg_isready --quiet --host=127.0.0.1 --username=postgres'))
    .withStartupTimeout(CONTAINER_TIMEOUT_MS)
    .start();
  return {
    url: `postgresql://postgres:test@${container.getHost()}:${container.getMappedPort(5432)}/gatehouse`,
    close: async () => {
      await container.stop();
    },
  };
}

async function embeddedPostgres(): Promise<TestServer> {
  const folder = await testDataFolder('test');
  try {
    const server = await startEmbeddedPostgres({ dataDir: folder.path, settings: VOLATILE });
    const close = async () => {
      await server.close();
      await folder.remove();
    };
    return { url: server.url, close };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** First the run's databases, then the roles that owned them. */
async function dropEverything(url: string, prefix: string): Promise<void> {
  await inMaintenanceDatabase(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of rows) {
      await client.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
    const { rows: roles } = await client.query<{ name: string }>(
      'SELECT rolname AS name FROM pg_roles WHERE starts_with(rolname, $1)',
      [prefix],
    );
    for (const { name } of roles) await client.query(`DROP ROLE ${name}`);
  });
}
