import { randomInt } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { UNLIMITED, useStack } from '../../support/stack.ts';
import { runScenario } from './run-scenario.ts';
import { openScenario } from './scenario.ts';

const events = Number(process.env.GATEHOUSE_STREAM_EVENTS || 1_500);
const seed = Number(process.env.GATEHOUSE_STREAM_SEED || randomInt(2 ** 31));
const MOST_SHOWN = 20;

// Each writer uses a connection.
const database = useDatabase({ max_connections: '300', fsync: 'off' });
const stack = useStack({ ...UNLIMITED, EVENT_RETENTION_MINUTES: '1440' }, database);

it('sessions receive exactly the log’s visible events, in order and once, while connections fail and replicas restart', {
  timeout: 180_000 + 50 * events,
}, async () => {
  process.stdout.write(`streams: ${events} events, GATEHOUSE_STREAM_SEED=${seed}\n`);
  const scenario = await openScenario({ stack, database_url: database.url, seed, events });
  onTestFinished(scenario.close);
  const { problems, figures } = await runScenario(scenario);
  process.stdout.write(`streams: ${JSON.stringify(figures)}\n`);
  if (problems.length > 0)
    throw new Error(`seed ${seed}: ${problems.length} problems\n${problems.slice(0, MOST_SHOWN).join('\n')}`);
  expect(figures.events).toBeGreaterThanOrEqual(events);
  expect(Math.min(figures.kills, figures.drains)).toBeGreaterThanOrEqual(2);
});
