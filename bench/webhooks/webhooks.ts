import type { BenchOptions } from '../bench.ts';
import { eventReaders } from '../chat/event-readers.ts';
import { comparedFigures, inTurns } from '../load/in-turns.ts';
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
export async function webhooks(options: BenchOptions): Promise<Record<string, unknown>> {
  const rendered = rendering(options);
  return withFixture(async (fixture) => {
    const postgres = await fixture.postgres({ track_commit_timestamp: 'on' });
    const running = fixture.processes();
    const bare = `http://${await running.start('bare')}`;
    const stack = await fixture.stack({ database_url: postgres.url });
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
      ...Object.fromEntries(cases.map((one) => [one.name, comparedFigures(one, results)])),
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
  });
}
