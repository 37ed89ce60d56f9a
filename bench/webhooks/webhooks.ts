import type { BenchOptions } from '../bench.ts';
import { eventReaders } from '../chat/event-readers.ts';
import { measureGroups } from '../load/in-turns.ts';
import { withFixture } from '../parts/fixture.ts';
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
export async function webhooks(options: BenchOptions): Promise<undefined> {
  await rendering(options);
  await withFixture(async (fixture) => {
    const postgres = await fixture.postgres({ track_commit_timestamp: 'on' });
    const running = fixture.processes();
    const bare = `http://${await running.start('bare')}`;
    const stack = await fixture.stack({ database_url: postgres.url });
    await populateWebhooks(postgres.url);
    const groups = CONNECTIONS.map((connections) => ({
      title: 'executions',
      connections,
      cases: [bareRoute(bare, connections), execution(stack.url, connections)],
    }));
    await measureGroups(groups, options);
    const [many, few] = [execution(stack.url, 64), execution(stack.url, 8)];
    const measured = { stack, postgres_pid: postgres.pid, running };
    await cost({ ...measured, execution: many, bare: bareRoute(bare, 64) }, options);
    await cost({ ...measured, execution: few, bare: bareRoute(bare, 8) }, options);
    const target = {
      chat: stack.addresses.chat ?? '',
      database_url: postgres.url,
      postgres_pid: postgres.pid,
    };
    await eventReaders({ ...target, posts: many, readers: [0, 1] }, options);
    await bigPush(few, options);
  });
}
