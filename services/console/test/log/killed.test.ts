import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { connect } from '@gatehouse/kit/rpc';
import { ConsoleServiceDefinition } from '@gatehouse/proto/console';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newOperator, Visitor } from '../visitor.ts';

let mute: Server;
let server_url: string;
beforeAll(async () => {
  server_url = await testDatabaseUrl('console_killed');
  // A service that accepts connections and never answers.
  mute = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(mute, 'listening');
});
afterAll(async () => {
  mute.close();
  await dropTestDatabase(databaseUrl(server_url, 'console'));
});

it('an action of a process that is killed on the way leaves its line', async () => {
  const address = mute.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { child, grpc, http } = await startProgram({
    DATABASE_URL: server_url,
    AUTH_ADDRESS: `127.0.0.1:${port}`,
  });
  const db = openPool({ database_url: databaseUrl(server_url, 'console'), application_name: 'test', max: 1 });
  const connection = connect(ConsoleServiceDefinition, { address: grpc });
  try {
    const { token } = await newOperator({ operators: connection.client }, 'kim');
    const command = new Visitor({ url: `http://${http}` }, { headers: { authorization: `Bearer ${token}` } });
    const answer = command
      .post('/api/accounts/1/suspend', { reason: 'Killed on the way.' })
      .catch(() => 'none');
    const line = () =>
      db.query(
        `SELECT operator, action, target, reason, outcome FROM actions WHERE action <> 'operator.add'`,
      );
    await expect.poll(async () => (await line()).rows).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await answer).toBe('none');
    expect((await line()).rows).toEqual([
      {
        operator: 'kim',
        action: 'account.suspend',
        target: 'account:1',
        reason: 'Killed on the way.',
        outcome: 'started',
      },
    ]);
  } finally {
    connection.close();
    child.kill('SIGKILL');
    await db.end();
  }
});

/** Starts the program, and waits for the lines with its addresses. */
async function startProgram(
  env: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; grpc: string; http: string }> {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const [program, args] = dieWithParent('KILL', process.execPath, [main]);
  const child = spawn(program, args, {
    env: {
      ...process.env,
      ...env,
      LISTEN: '127.0.0.1:0',
      CONSOLE_LISTEN: '127.0.0.1:0',
      CONSOLE_SECRET_KEY: 'a secret key that is only for tests',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const found = Promise.withResolvers<{ child: ChildProcess; grpc: string; http: string }>();
  const read = (chunk: Buffer) => {
    said += String(chunk);
    const grpc = /listening on (\S+)/.exec(said)?.[1];
    const http = /"url":"http:\/\/([^"]+)"/.exec(said)?.[1];
    if (grpc !== undefined && http !== undefined) found.resolve({ child, grpc, http });
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => found.reject(new Error(`the console did not start: ${said}`)));
  return found.promise;
}
