import { readFile } from 'node:fs/promises';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { DATABASE_SERVICES } from '@gatehouse/proto/services';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startStack } from '../src/start-stack.ts';

test('each process gets a login that can open only its own database', async () => {
  const folder = await testDataFolder('logins');
  onTestFinished(folder.remove);
  const lines: string[] = [];
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'warn' };
  const stack = await startStack({ port: 0, data_dir: folder.path, env, say: (line) => lines.push(line) });
  onTestFinished(() => stack.close());
  const urlOf = async (name: string) => {
    const environment = await readFile(`/proc/${stack.pids()[name]}/environ`, 'utf8');
    return /(?:^|\0)DATABASE_URL=([^\0]*)/.exec(environment)?.[1];
  };
  for (const name of ['gateway', 'ratelimit']) expect(await urlOf(name)).toBeUndefined();
  for (const name of DATABASE_SERVICES)
    for (const other of DATABASE_SERVICES) {
      const expected = other === name ? 'reached' : expect.stringMatching(/^permission denied for database/);
      expect([name, other, await reach((await urlOf(name)) ?? '', other)]).toEqual([name, other, expected]);
    }
  expect(lines.join('\n')).not.toContain('share');
});

async function reach(url: string, service: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl(url, service) });
  try {
    await client.connect();
    await client.query('SELECT FROM schema_migration');
    return 'reached';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end();
  }
}
