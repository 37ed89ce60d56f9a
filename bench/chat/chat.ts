import type { BenchOptions } from '../bench.ts';
import { measureGroups } from '../load/in-turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { chatCases } from './cases.ts';
import { eventReaders } from './event-readers.ts';
import { permissionCheck } from './permission-check.ts';
import { populateChat } from './population.ts';

/**
 * Measures chat's busiest requests through the edge with a session, on PostgreSQL with fsync on: posting, pages of
 * messages, the caller's guilds, compared with a bare Fastify route and GET /users/@me. Also measures the lag and the
 * cost of readers of the event log, and the cost of a permission check.
 */
export async function chat(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const postgres = await fixture.postgres({ track_commit_timestamp: 'on' });
    const running = fixture.processes();
    const bare = `http://${await running.start('bare')}`;
    const stack = await fixture.stack({ database_url: postgres.url });
    options.say('a million messages');
    await populateChat(postgres.url);
    const cases = chatCases(bare, stack.url);
    await measureGroups(
      [
        { title: 'posts', cases: cases.filter(({ connections }) => connections === 32) },
        { title: 'reads', cases: cases.filter(({ connections }) => connections === 8) },
      ],
      options,
    );
    const posts = cases.find(({ name }) => name === 'POST message 32');
    if (posts === undefined) throw new Error('nothing is posted');
    const target = {
      chat: stack.addresses.chat ?? '',
      database_url: postgres.url,
      postgres_pid: postgres.pid,
    };
    await eventReaders({ ...target, posts, readers: [0, 1, 10] }, options);
    await permissionCheck(bare, running, options);
  });
}
