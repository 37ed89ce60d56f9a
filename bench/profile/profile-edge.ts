import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchOptions } from '../bench.ts';
import type { LoadCase } from '../load/in-turns.ts';
import { load, medians } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { mainThreadTime_us } from '../parts/processes.ts';
import { stackTimes_us, type Times, timesOf } from '../parts/processor-times.ts';
import type { Table } from '../report/table.ts';
import { seed } from '../seed.ts';
import { type Stack, stacksOf } from './cpu-profile.ts';
import { flameGraph } from './flame-graph.ts';
import { isExecution, profileCases } from './profile-cases.ts';
import { START, tellProfiler } from './profiler-socket.ts';
import { STEP_NAMES, sharesOf } from './steps.ts';

const PROFILER = new URL('profiler.ts', import.meta.url).href;
const FOLDER = fileURLToPath(new URL('../../artifacts/profile', import.meta.url));
/** Turns of warm-up, for V8's compiler. */
const WARM_TURNS = 4;
const EDGE = 'gateway';
/** The processes that take part in these requests. */
const PROFILED = [EDGE, 'ratelimit', 'auth', 'webhook-delivery', 'chat'];
/** A process that takes less than this time for a request has no part in it. */
const MIN_US = 1;

interface Process {
  readonly name: string;
  readonly pid: number;
}

/**
 * Measures the processor time of a request by step: in the edge for each case, and in every process for executions.
 * The time comes from /proc, while no profiler runs; the steps' shares come from CPU profiles of the main threads.
 * Writes each profile, and its flame graph, to `artifacts/profile`.
 */
export async function profileEdge(options: BenchOptions): Promise<undefined> {
  const { seconds, say, report } = options;
  return withFixture(async (fixture) => {
    const { folder } = fixture;
    const postgres = await fixture.postgres();
    const env = { NODE_OPTIONS: `--import=${PROFILER}`, PROFILE_SOCKETS: folder };
    const stack = await fixture.stack({ database_url: postgres.url, env });
    const cases = profileCases(`${stack.url}/api/v1`, await seed(postgres.url));
    const pids = stack.pids();
    const processes = PROFILED.map((name) => ({ name, pid: pids[name] ?? 0 }));
    const used = (): Times => ({ ...stackTimes_us(stack, postgres.pid), ...mainThreads(processes) });
    const times = await timesOfCases(cases, used, options);
    say('measured the processor time');

    mkdirSync(FOLDER, { recursive: true });
    const ofEdge: [string, Times][] = [];
    for (const one of cases) {
      const profiles = await takeProfiles(one, processes, seconds, folder);
      const each = stepsOfProcesses(times.get(one.name) ?? {}, profiles);
      ofEdge.push([one.name, each.get(EDGE) ?? {}]);
      if (isExecution(one))
        report(stepTable(`Steps of an execution, ${one.connections} connections`, [...each]));
    }
    report(stepTable('Steps of the edge', ofEdge));
    say(`the profiles and flame graphs are in ${FOLDER}`);
    return undefined;
  });
}

/** The median processor time of each case. The cases take turns. */
async function timesOfCases(
  cases: readonly LoadCase[],
  used: () => Times,
  options: BenchOptions,
): Promise<ReadonlyMap<string, Times>> {
  const { rounds, seconds } = options;
  const turns = new Map<string, Times[]>(cases.map(({ name }) => [name, []]));
  const count = { warm: WARM_TURNS, counted: rounds * seconds };
  await takeTurns('processor time', count, options, async (isCounted) => {
    for (const one of cases) {
      const times = await timesOf(one, used);
      if (isCounted) turns.get(one.name)?.push(times);
    }
  });
  return new Map([...turns].map(([name, times]) => [name, medians(times)]));
}

/** The processor time by step of each process that has a part in a case. */
function stepsOfProcesses(
  times: Times,
  profiles: ReadonlyMap<string, readonly Stack[]>,
): ReadonlyMap<string, Times> {
  const involved = [...profiles].filter(([process]) => (times[process] ?? 0) >= MIN_US);
  return new Map(involved.map(([process, stacks]) => [process, stepTimes(times, process, stacks)]));
}

/** The name of a main thread among times. */
function mainThread(process: string): string {
  return `${process}, main thread`;
}

function mainThreads(processes: readonly Process[]): Times {
  return Object.fromEntries(processes.map(({ name, pid }) => [mainThread(name), mainThreadTime_us(pid)]));
}

/** Profiles the processes during one load, and writes a profile and a flame graph of each. */
async function takeProfiles(
  one: LoadCase,
  processes: readonly Process[],
  seconds: number,
  sockets: string,
): Promise<ReadonlyMap<string, readonly Stack[]>> {
  const { name: caseName, url, connections, requests } = one;
  const order = { url: new URL(url).origin, connections, seconds };
  await Promise.all(processes.map(({ pid }) => tellProfiler(sockets, pid, START)));
  await load({ ...order, requests: typeof requests === 'function' ? requests() : requests });
  const stacks = new Map<string, readonly Stack[]>();
  for (const { name, pid } of processes) {
    const file = join(FOLDER, `${caseName} ${name}`.replaceAll(' ', '-'));
    await tellProfiler(sockets, pid, `${file}.cpuprofile`);
    const sampled = stacksOf(JSON.parse(readFileSync(`${file}.cpuprofile`, 'utf8')));
    writeFileSync(`${file}.svg`, flameGraph(`${name}: ${caseName} connections`, sampled));
    stacks.set(name, sampled);
  }
  return stacks;
}

/** The processor time of a process per request, by step. */
function stepTimes(times: Times, process: string, stacks: readonly Stack[]): Times {
  const all_us = times[process] ?? 0;
  const main_us = times[mainThread(process)] ?? 0;
  const steps = [...sharesOf(stacks)].map(([step, share]) => [step, share * main_us] as const);
  return { ...Object.fromEntries(steps), 'other threads': all_us - main_us, all: all_us };
}

/** A row for each step, with a column for each case or process. */
function stepTable(title: string, columns: readonly (readonly [string, Times])[]): Table {
  const rows = [...STEP_NAMES, 'other threads', 'all'].map((name) => ({
    name,
    figures: Object.fromEntries(
      columns.map(([column, times]) => [`${column.replaceAll(' ', '_')}_us`, times[name] ?? 0]),
    ),
  }));
  return {
    title,
    about: 'Processor time per request in microseconds. The shares come from CPU profiles.',
    rows: rows.filter(({ figures }) => Object.values(figures).some((us) => us > 0)),
  };
}
