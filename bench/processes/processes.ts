import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../bench.ts';
import { countUnexpected, LEAD_SECONDS } from '../load/in-turns.ts';
import { type LoadRequest, type LoadResult, load } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { npmStart } from '../parts/npm-start.ts';
import { cpuTimeOf_us } from '../parts/processes.ts';
import { figureOf } from '../report/figure.ts';
import type { Row } from '../report/table.ts';
import { type Seed, seed } from '../seed.ts';

const WARM_TURNS = 4;
const CONNECTIONS = [64, 8] as const;
const MESSAGE = JSON.stringify({ content: 'Deployed build 4711 to production.' });

/** Which services share a process, as settings of `npm start`. */
const GROUPINGS: readonly (readonly [name: string, env: NodeJS.ProcessEnv])[] = [
  ['eight processes', {}],
  ['two groups', { SHARED_PROCESSES: 'gateway,ratelimit,auth,oauth2 chat,webhook-delivery,media,realtime' }],
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
 * The stack with a process for each service, in two groups, and in one: memory once it has started and after the load,
 * requests per second, and processor time per request without PostgreSQL's. All run on this machine at the same time,
 * each on a separate PostgreSQL, and are loaded in turn.
 */
export async function processes(options: BenchOptions): Promise<undefined> {
  const groups = LOADS.flatMap((load) => CONNECTIONS.map((connections) => ({ ...load, connections })));
  const wanted = groups.filter(({ title, connections }) => options.wants(`${title} ${connections}`));
  const isMemoryWanted = options.wants('memory');
  if (wanted.length === 0 && !isMemoryWanted) return;
  await withFixture(async ({ folder, resources }) => {
    const stacks: MeasuredStack[] = [];
    for (const [name, env] of GROUPINGS) {
      options.say(`starting the stack: ${name}`);
      const { url, pid, postgres } = await npmStart(env, join(folder, name), resources);
      stacks.push({ name, url, filled: await seed(postgres.url), pids: () => tree(pid) });
    }
    const started = stacks.map((stack) => memory_MiB(stack));
    for (const [n, group] of wanted.entries()) await measureGroup(group, stacks, wanted.length - n, options);
    if (!isMemoryWanted) return;
    options.report({
      title: 'memory',
      about: 'Once started, and after the load; without PostgreSQL.',
      rows: stacks.map((stack, n) => ({
        name: stack.name,
        figures: {
          processes: stack.pids().length,
          started_MiB: started[n] ?? 0,
          loaded_MiB: memory_MiB(stack),
        },
      })),
    });
  });
}

async function measureGroup(
  { title, connections, requestsOf, expected }: Load & { readonly connections: number },
  stacks: readonly MeasuredStack[],
  loops_left: number,
  options: BenchOptions,
): Promise<void> {
  const turns = new Map<MeasuredStack, MeasuredTurn[]>(stacks.map((stack) => [stack, []]));
  const loop = { warm: WARM_TURNS, counted: options.rounds * options.seconds, loops_left };
  await takeTurns(`${title} ${connections}`, loop, options, async (isCounted) => {
    for (const stack of stacks) {
      const result = await runTurn(stack, requestsOf(stack.filled), connections);
      if (isCounted) turns.get(stack)?.push(result);
    }
  });
  const rows = stacks.map((stack) => rowOf(stack.name, turns.get(stack) ?? [], expected));
  options.report({ title, connections, rows });
}

interface Load {
  readonly title: string;
  readonly requestsOf: (filled: Seed) => readonly LoadRequest[];
  readonly expected: number;
}

const LOADS: readonly Load[] = [
  {
    title: 'session, limit, webhook',
    requestsOf: ({ sessions, webhooks }) =>
      webhooks.map((path, index) => ({
        method: 'GET',
        path: `/api/v1${path}`,
        headers: { authorization: `Bearer ${sessions[index % sessions.length]}` },
      })),
    expected: 200,
  },
  {
    title: 'execution',
    requestsOf: ({ webhooks }) =>
      webhooks.map((path) => ({
        method: 'POST',
        path: `/api/v1${path}`,
        headers: { 'content-type': 'application/json' },
        body: MESSAGE,
      })),
    expected: 204,
  },
];

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

function rowOf(name: string, turns: readonly MeasuredTurn[], expected: number): Row {
  const of = (figure: (turn: MeasuredTurn) => number) => figureOf(turns.map(figure));
  return {
    name,
    unexpected: turns.reduce((sum, { result }) => sum + countUnexpected(expected, result), 0),
    figures: {
      per_second: of(({ result }) => result.per_second),
      p50_ms: of(({ result }) => result.p50_ms),
      p99_ms: of(({ result }) => result.p99_ms),
      cpu_us: of((turn) => turn.cpu_us),
    },
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
