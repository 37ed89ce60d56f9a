import { setTimeout as pause } from 'node:timers/promises';
import { change } from './changers.ts';
import type { Random } from './random.ts';
import type { Reader } from './reader.ts';
import type { ReplicaProcess } from './replica-process.ts';
import type { Scenario } from './scenario.ts';
import { WRITERS, write } from './writers.ts';

export interface LoadResult {
  /** Number of HTTP responses by class of status. */
  readonly answers: ReadonlyMap<string, number>;
  readonly took_ms: number;
}

/** Number of loops that change guilds over HTTP. */
const CHANGERS = 12;
/** Minimum duration, so that replicas restart while events are written. */
const AT_LEAST_MS = 10_000;
/** Average events per transaction of a writer. */
const EVENTS_EACH = 2;
const KILLS = 2;
const DRAINS = 2;

/** Writes events, disturbs readers and restarts replicas, until enough events are written. */
export async function applyLoad({
  database,
  world,
  replicas,
  readers,
  random,
  events,
}: Scenario): Promise<LoadResult> {
  const startedAt_ms = performance.now();
  const answers = new Map<string, number>();
  let written = 0;
  let isChaosOver = false;
  let isGivenUp = false;
  const isOver = () => isGivenUp || (written >= events && isChaosOver);
  const wrote = (count: number) => {
    written += count;
  };
  const answered = (what: string, status: number) => {
    const outcome = status < 500 ? `${Math.floor(status / 100)}xx` : `${status} ${what}`;
    answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    wrote(1);
  };
  const pause_ms = (AT_LEAST_MS * EVENTS_EACH * (WRITERS + CHANGERS)) / events;
  const all = [
    ...Array.from({ length: WRITERS }, (_, number) =>
      write({ database, world, pause_ms, isOver, wrote, number, random: random.fork(100 + number) }),
    ),
    ...Array.from({ length: CHANGERS }, (_, number) =>
      change({ world, pause_ms, isOver, answered, random: random.fork(200 + number) }),
    ),
    ...readers.map((reader, n) => causeFaults(reader, random.fork(300 + n), isOver)),
    endReplicas(replicas, random.fork(3), () => isGivenUp || written >= events).finally(() => {
      isChaosOver = true;
    }),
  ];
  try {
    await Promise.all(all);
  } finally {
    isGivenUp = true;
    await Promise.allSettled(all);
  }
  return { answers, took_ms: performance.now() - startedAt_ms };
}

async function causeFaults(reader: Reader, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await pause(random.between(200, 5_000));
    if (!isOver()) reader.causeFault();
  }
}

/** Kills and stops replicas, mostly one at a time, until the minimum is reached and `isLate`. */
async function endReplicas(
  replicas: readonly ReplicaProcess[],
  random: Random,
  isLate: () => boolean,
): Promise<void> {
  const wanted: ('SIGKILL' | 'SIGTERM')[] = [];
  for (let n = 0; n < KILLS; n++) wanted.push('SIGKILL');
  for (let n = 0; n < DRAINS; n++) wanted.splice(random.below(wanted.length + 1), 0, 'SIGTERM');
  for (let n = 0; n < wanted.length || !isLate(); n++) {
    await pause(random.between(300, 2_000));
    const signal = wanted[n] ?? random.pick(['SIGKILL', 'SIGTERM', 'SIGTERM']);
    const replica = random.pick(replicas);
    const ending = replica.restart(signal);
    // The other replica may be killed during the restart.
    const other = replicas.find((one) => one !== replica);
    if (n >= wanted.length && random.chance(0.2)) {
      await pause(random.below(4_000));
      await other?.restart('SIGKILL');
    }
    await ending;
  }
}
