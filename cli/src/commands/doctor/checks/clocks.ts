import { withClient } from '@gatehouse/kit/db/with-client';
import { withTimeout } from '@gatehouse/kit/with-timeout';
import { inspectRedis } from '@gatehouse/ratelimit/inspect-redis';
import { edgeOf } from '../../../profiles/deployment.ts';
import { databaseSettings } from '../database-settings.ts';
import { type CheckContext, type Finding, ok, problem, STEP_TIMEOUT_MS, skipped } from '../finding.ts';

const MAX_SKEW_MS = 1_000;

/** A clock was read between two readings of this machine's, and is that of a whole unit or later. */
interface Reading {
  readonly at_ms: number;
  readonly before_ms: number;
  readonly after_ms: number;
  /** The resolution of the clock. */
  readonly unit_ms: number;
}

interface Clock {
  readonly subject: string;
  /** Undefined if it does not answer, which other checks report. */
  readonly read: () => Promise<Reading | undefined>;
}

/** Compares this machine's clock with those of the edge, of the databases' servers and of Redis. */
export async function checkClocks({ env, signal }: CheckContext): Promise<readonly Finding[]> {
  return Promise.all(
    clocksOf(env, signal).map(async ({ subject, read }) => {
      const reading = await withTimeout(STEP_TIMEOUT_MS, read());
      return reading === undefined ? skipped(subject, 'does not answer') : skewFinding(subject, reading);
    }),
  );
}

function clocksOf(env: NodeJS.ProcessEnv, signal: AbortSignal): Clock[] {
  const edge = edgeIn(env);
  const databases = new Map(
    databaseSettings(env).flatMap(({ database_url }) => {
      const host = database_url && new URL(database_url).host;
      return host ? [[host, database_url]] : [];
    }),
  );
  const { REDIS_URL } = env;
  return [
    ...(edge === undefined ? [] : [{ subject: `the edge, ${edge}`, read: () => readEdge(edge, signal) }]),
    ...[...databases].map(([host, url]) => ({
      subject: `PostgreSQL, ${host}`,
      read: () => readDatabase(url ?? ''),
    })),
    ...(REDIS_URL ? [{ subject: 'Redis', read: () => readRedis(REDIS_URL) }] : []),
  ];
}

/** Undefined if the chosen profile does not have it. */
function edgeIn(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return edgeOf(env);
  } catch {
    return undefined;
  }
}

async function readEdge(url: string, signal: AbortSignal): Promise<Reading | undefined> {
  const before_ms = Date.now();
  const answer = await fetch(`${url}/api/v1/gateway`, {
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(STEP_TIMEOUT_MS)]),
  });
  const after_ms = Date.now();
  await answer.body?.cancel();
  const at_ms = Date.parse(answer.headers.get('date') ?? '');
  return Number.isNaN(at_ms) ? undefined : { at_ms, before_ms, after_ms, unit_ms: 1_000 };
}

function readDatabase(connectionString: string): Promise<Reading> {
  return withClient({ connectionString, query_timeout: STEP_TIMEOUT_MS }, async (client) => {
    const before_ms = Date.now();
    const { rows } = await client.query<{ at_ms: string }>(
      'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at_ms',
    );
    return { at_ms: Number(rows[0]?.at_ms), before_ms, after_ms: Date.now(), unit_ms: 1 };
  });
}

async function readRedis(url: string): Promise<Reading> {
  const { clock } = await inspectRedis(url, STEP_TIMEOUT_MS);
  return { ...clock, unit_ms: 1 };
}

function skewFinding(subject: string, { at_ms, before_ms, after_ms, unit_ms }: Reading): Finding {
  // The least difference that fits the readings.
  const ahead_ms = Math.max(at_ms - after_ms, 0) - Math.max(before_ms - at_ms - unit_ms, 0);
  const skew_ms = Math.round(Math.abs(ahead_ms));
  if (skew_ms <= MAX_SKEW_MS) return ok(subject, 'agrees with this clock');
  const seconds = (skew_ms / 1000).toFixed(1);
  return problem(
    subject,
    `its clock is ${seconds} s ${ahead_ms > 0 ? 'ahead of' : 'behind'} this machine's`,
    'Synchronise both by NTP (chronyc tracking): limits, codes and expiries depend on clocks.',
  );
}
