import { join } from 'node:path';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { startStack } from '@gatehouse/stack/start-stack';
import type { BenchOptions } from '../bench.ts';
import { eventReaders } from '../chat/event-readers.ts';
import { besideOthers, inTurns } from '../load/in-turns.ts';
import { processes } from '../parts/processes.ts';
import { bigPush } from './big-push.ts';
import { bareRoute, execution } from './cases.ts';
import { cost } from './cost.ts';
import { populateWebhooks } from './population.ts';
import { rendering } from './rendering.ts';

const CONNECTIONS = [64, 32, 8] as const;

/**
 * Measures executions of a thousand webhooks through the edge, compared with a bare Fastify route, on PostgreSQL with
 * fsync on: rates, processor time by process, the lag of a reader of the event log, the effect of the largest push on
 * other webhooks, and rendering compared with JSON.parse.
 */
export async function webhooks(options: BenchOptions): Promise<Record<string, unknown>> {
  const rendered = rendering(options);
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
    await populateWebhooks(postgres.url);
    const cases = CONNECTIONS.flatMap((connections) => [
      bareRoute(bare, connections),
      execution(stack.url, connections),
    ]);
    const results = await inTurns(cases, options);
    const many = execution(stack.url, 64);
    const few = execution(stack.url, 8);
    const measured = { stack, postgres_pid: postgres.pid, running };
    return {
      ...Object.fromEntries(cases.map((one) => [one.name, besideOthers(one, results)])),
      [`cost of ${many.name}`]: await cost(
        { ...measured, execution: many, bare: bareRoute(bare, 64) },
        options,
      ),
      [`cost of ${few.name}`]: await cost({ ...measured, execution: few, bare: bareRoute(bare, 8) }, options),
      ...(await eventReaders(
        {
          chat: stack.addresses.chat ?? '',
          database_url: postgres.url,
          postgres_pid: postgres.pid,
          posts: many,
          readers: [0, 1],
        },
        options,
      )),
      'largest push': await bigPush(few, options),
      ...rendered,
    };
  } finally {
    await resources.close();
  }
}
