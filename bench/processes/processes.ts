import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import type { Resources } from '@gatehouse/kit/lifecycle';
import type { BenchOptions } from '../bench.ts';
import { countUnexpected, LEAD_SECONDS } from '../load/in-turns.ts';
import { type LoadRequest, type LoadResult, load, median } from '../load/load.ts';
import { twoDecimals } from '../load/two-decimals.ts';
import { withFixture } from '../parts/fixture.ts';
import { cpuTimeOf_us } from '../parts/processes.ts';
import { type Seed, seed } from '../seed.ts';

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));
const WARM_TURNS = 4;
const MESSAGE = JSON.stringify({ content: 'Deployed build 4711 to production.' });

/** Which services share a process, as settings of `npm start`. */
const GROUPINGS: readonly (readonly [name: string, env: NodeJS.ProcessEnv])[] = [
  ['eight processes', {}],
  [
    'two processes',
    { SHARED_PROCESSES: 'gateway,ratelimit,auth,oauth2 chat,webhook-delivery,media,realtime' },
  ],
  ['one process', { ONE_PROCESS: 'yes' }],
];

/** `npm start`, with one of the groupings. */
interface MeasuredStack {
  readonly name: string;
  readonly url: string;
  readonly filled: Seed;
  /** The process IDs of the stack, without PostgreSQL. */
  pids(): number[];
}

/**
 * The stack with a process for each service, in two processes, and in one: memory once it has started and after the load,
 * requests per second, and processor time per request without PostgreSQL's. All run on this machine at the same time,
 * each on a separate PostgreSQL, and are loaded in turn.
 */
export async function processes({ rounds, seconds, say }: BenchOptions): Promise<Record<string, unknown>> {
  return withFixture(async ({ folder, resources }) => {
    const stacks: MeasuredStack[] = [];
    for (const [name, env] of GROUPINGS) {
      say(`starting the stack: ${name}`);
      stacks.push(await startMeasured(name, env, join(folder, name), resources));
    }
    // Compared cases are adjacent.
    const cases = stacks
      .flatMap((stack) => casesOf(stack).map((one, index) => ({ ...one, stack, index })))
      .toSorted((one, other) => one.index - other.index);
    const started = stacks.map((stack) => memory_MiB(stack));
    const turns = new Map<string, MeasuredTurn[]>(cases.map(({ name }) => [name, []]));
    for (let turn = 1 - WARM_TURNS; turn <= rounds * seconds; turn++) {
      for (const one of cases) {
        const result = await runTurn(one.stack, one.requests, one.connections);
        if (turn > 0) turns.get(one.name)?.push(result);
      }
      if (turn > 0 && turn % seconds === 0) say(`round ${turn / seconds} of ${rounds}`);
    }
    const memory = stacks.map((stack, n) => [
      `memory, ${stack.name}`,
      { processes: stack.pids().length, started_MiB: started[n], loaded_MiB: memory_MiB(stack) },
    ]);
    const rates = cases.map(({ name, expected }) => [name, figuresOf(turns.get(name) ?? [], expected)]);
    return Object.fromEntries([...memory, ...rates]);
  });
}

async function startMeasured(
  name: string,
  env: NodeJS.ProcessEnv,
  folder: string,
  resources: Resources,
): Promise<MeasuredStack> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  resources.add('postgres', () => postgres.close());
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', START], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: postgres.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  resources.add('stack', () => end(child));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^ready (http\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    return { name, url, filled: await seed(postgres.url), pids: () => tree(child.pid ?? 0) };
  }
  throw new Error(`the stack did not start: ${name}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

interface Case {
  readonly name: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  readonly expected: number;
}

function casesOf({ name, filled: { sessions, webhooks } }: MeasuredStack): Case[] {
  const gets = webhooks.map((path, index) => ({
    method: 'GET' as const,
    path: `/api/v1${path}`,
    headers: { authorization: `Bearer ${sessions[index % sessions.length]}` },
  }));
  const executions = webhooks.map((path) => ({
    method: 'POST' as const,
    path: `/api/v1${path}`,
    headers: { 'content-type': 'application/json' },
    body: MESSAGE,
  }));
  return [64, 8].flatMap((connections) => [
    { name: `session, limit, webhook; ${connections}, ${name}`, connections, requests: gets, expected: 200 },
    { name: `execution; ${connections}, ${name}`, connections, requests: executions, expected: 204 },
  ]);
}

interface MeasuredTurn {
  readonly result: LoadResult;
  /** Microseconds per request. */
  readonly cpu_us: number;
}

/** Runs one turn of load. */
async function runTurn(
  stack: MeasuredStack,
  requests: readonly LoadRequest[],
  connections: number,
): Promise<MeasuredTurn> {
  const order = { url: new URL(stack.url).origin, connections, requests };
  await load({ ...order, seconds: LEAD_SECONDS });
  const before = cpu_us(stack);
  const result = await load({ ...order, seconds: 1 });
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  return { result, cpu_us: (cpu_us(stack) - before) / answers };
}

function figuresOf(turns: readonly MeasuredTurn[], expected: number): Record<string, unknown> {
  const middle = (figure: (turn: MeasuredTurn) => number): number => median(turns.map(figure));
  return {
    per_second: Math.round(middle(({ result }) => result.per_second)),
    p50_ms: twoDecimals(middle(({ result }) => result.p50_ms)),
    p99_ms: twoDecimals(middle(({ result }) => result.p99_ms)),
    cpu_us: Math.round(middle((turn) => turn.cpu_us)),
    unexpected: turns.reduce((sum, { result }) => sum + countUnexpected(expected, result), 0),
  };
}

function cpu_us(stack: MeasuredStack): number {
  return stack.pids().reduce((sum, pid) => sum + cpuTimeOf_us(pid), 0);
}

/** Proportional set size of its processes: shared pages count once. */
function memory_MiB(stack: MeasuredStack): number {
  const kB = stack.pids().map((pid) => {
    const rollup = `/proc/${pid}/smaps_rollup`;
    return existsSync(rollup) ? Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(rollup, 'utf8'))?.[1]) : 0;
  });
  return Math.round(kB.reduce((sum, one) => sum + one, 0) / 1024);
}

/** A process and its descendants. */
function tree(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(path)) return [];
  const children = readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(tree)];
}
