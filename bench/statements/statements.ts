import type { BenchOptions } from '../bench.ts';
import { chatCases } from '../chat/cases.ts';
import { populateChat } from '../chat/population.ts';
import { countUnexpected, type LoadCase, turnOf } from '../load/in-turns.ts';
import { load } from '../load/load.ts';
import { withFixture } from '../parts/fixture.ts';
import { execution } from '../webhooks/cases.ts';
import { populateWebhooks } from '../webhooks/population.ts';
import { ServerCounters } from './server-counters.ts';
import { usageTables } from './usage.ts';

const WARM_TURNS = 2;
/** Enough for the indexes; posting does not read messages. */
const LONG_MESSAGES = 1_000;

/**
 * Counts what PostgreSQL does for a request: its statements, the records and bytes that they write to the WAL, and the
 * processor time of PostgreSQL's processes. Unlike rates, none of it but the time depends on other work of the machine,
 * except that a slower stack gathers more requests in a statement.
 */
export async function statements(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const postgres = await fixture.postgres({ shared_preload_libraries: 'pg_stat_statements' });
    const stack = await fixture.stack({ database_url: postgres.url });
    await populateChat(postgres.url, LONG_MESSAGES);
    await populateWebhooks(postgres.url);
    const counters = await ServerCounters.open(postgres);
    fixture.resources.add('counters', () => counters.close());
    const posts = chatCases(stack.url, stack.url).filter(({ name }) => name.startsWith('POST message'));
    const cases = [execution(stack.url, 64), execution(stack.url, 8), ...posts];
    for (const one of cases.filter(({ name }) => options.wants(name))) await measure(one, counters, options);
  });
  return undefined;
}

async function measure(
  one: LoadCase,
  counters: ServerCounters,
  { rounds, seconds, say, report }: BenchOptions,
): Promise<void> {
  say(one.name);
  for (let turn = 0; turn < WARM_TURNS; turn++) await load(turnOf(one));
  await counters.settle();
  const before = await counters.read();
  let answered = 0;
  for (let turn = 0; turn < rounds * seconds; turn++) {
    const result = await load(turnOf(one));
    if (countUnexpected(one.expected, result) > 0)
      throw new Error(`${one.name} was answered ${JSON.stringify(result.statuses)}`);
    answered += result.statuses[one.expected] ?? 0;
  }
  for (const table of await usageTables(one.name, before, counters, answered)) report(table);
}
