import { join } from 'node:path';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { startStack } from '@gatehouse/stack/start-stack';
import type { BenchOptions } from '../bench.ts';
import { besideOthers, inTurns } from '../load/in-turns.ts';
import { processes } from '../parts/processes.ts';
import { chatCases } from './cases.ts';
import { eventReaders } from './event-readers.ts';
import { permissionCheck } from './permission-check.ts';
import { populateChat } from './population.ts';

/**
 * Measures chat's busiest requests through the edge with a session, on PostgreSQL with fsync on: posting, pages of
 * messages, the caller's guilds, compared with a bare Fastify route and GET /users/@me. Also measures the lag and the
 * cost of readers of the event log, and the cost of a permission check.
 */
export async function chat(options: BenchOptions): Promise<Record<string, unknown>> {
  const { path: folder, remove } = await testDataFolder('bench');
  const resources = resourceStack();
  resources.add('folder', remove);
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'database'),
      settings: { track_commit_timestamp: 'on' },
    });
    resources.add('postgres', () => postgres.close());
    const running = processes(folder);
    resources.add('processes', () => running.stop());
    const bare = `http://${await running.start('bare')}`;
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
    const stack = await startStack({
      port: 0,
      data_dir: join(folder, 'stack'),
      database_url: postgres.url,
      env,
    });
    resources.add('stack', () => stack.close());
    options.say('a million messages');
    await populateChat(postgres.url);
    const cases = chatCases(bare, stack.url);
    const results = await inTurns(cases, options);
    const posts = cases.find(({ name }) => name === 'POST message 32');
    if (posts === undefined) throw new Error('nothing is posted');
    return {
      ...Object.fromEntries(cases.map((one) => [one.name, besideOthers(one, results)])),
      ...(await eventReaders(
        {
          chat: stack.addresses.chat ?? '',
          database_url: postgres.url,
          postgres_pid: postgres.pid,
          posts,
          readers: [0, 1, 10],
        },
        options,
      )),
      'permission check': await permissionCheck(bare, running, options),
    };
  } finally {
    await resources.close();
  }
}
