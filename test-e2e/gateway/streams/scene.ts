import { setTimeout as pause } from 'node:timers/promises';
import type { OwnSuite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { change, say } from './changers.ts';
import { type ChatDatabase, openChatDatabase } from './chat-database.ts';
import { type Compared, compare } from './compare.ts';
import { differences, type PlainGuild, plainGuild } from './plain-guild.ts';
import { type Random, randomOf } from './random.ts';
import { openReader, type Reader } from './reader.ts';
import { replay } from './replay.ts';
import { type ReplicaProcess, startReplicaProcesses } from './replica-process.ts';
import { idOf, openStage, type Stage } from './stage.ts';
import { write } from './writers.ts';

export interface SceneOptions {
  readonly suite: OwnSuite;
  readonly database_url: string;
  readonly seed: number;
  /** So many are written, at least. */
  readonly events: number;
}

export interface SceneResult {
  /** What is wrong, for people. */
  readonly problems: readonly string[];
  readonly figures: Figures;
}

export interface Figures {
  readonly events: number;
  readonly heard: number;
  readonly seconds: number;
  readonly kills: number;
  readonly drains: number;
  readonly hurts: number;
  readonly resumed: number;
  readonly anew: number;
  readonly longest_gap_ms: number;
  readonly answers: Readonly<Record<string, number>>;
}

const WRITERS = 52;
const CHANGERS = 12;
const READERS = 16;
/** Fewer events than these are spread over this time, so that all that is to happen does. */
const AT_LEAST_MS = 10_000;
const EVENTS_EACH = 2;
const KILLS = 2;
const DRAINS = 2;
const END_WITHIN_MS = 180_000;

/** Writers, readers, and replicas that end: all of it, and whether the readers were told what the log says. */
export async function play({ suite, database_url, seed, events }: SceneOptions): Promise<SceneResult> {
  const random = randomOf(seed);
  const database = openChatDatabase(database_url, suite.running.addresses.chat ?? '', WRITERS);
  const [stage, replicas] = await Promise.all([
    openStage(suite.api, random.fork(1)),
    startReplicaProcesses(suite, ['A', 'B']),
  ]);
  const readers = openReaders(stage, replicas, random.fork(2));
  try {
    return await run({ database, stage, replicas, readers, random, events });
  } finally {
    await Promise.all(readers.map((reader) => reader.close()));
    await Promise.all(replicas.map((replica) => replica.close()));
    await database.close();
  }
}

interface Scene {
  readonly database: ChatDatabase;
  readonly stage: Stage;
  readonly replicas: readonly ReplicaProcess[];
  readonly readers: readonly Reader[];
  readonly random: Random;
  readonly events: number;
}

async function run(scene: Scene): Promise<SceneResult> {
  const { database, stage, replicas, readers, random, events } = scene;
  const account_ids = [...stage.people, ...stage.bots].map(idOf);
  const start = await database.states(account_ids);
  const first = await database.lastEvent();
  const startedAt_ms = performance.now();
  const progress = { written: 0, isChaosOver: false, isStill: false };
  const answers = new Map<string, number>();
  const isOver = () => progress.isStill || (progress.written >= events && progress.isChaosOver);
  const writer = {
    stage,
    isOver,
    pause_ms: (AT_LEAST_MS * EVENTS_EACH * (WRITERS + CHANGERS)) / events,
  };
  const writing = [
    ...Array.from({ length: WRITERS }, (_, number) =>
      write({
        ...writer,
        database,
        number,
        random: random.fork(100 + number),
        wrote: (count) => {
          progress.written += count;
        },
      }),
    ),
    ...Array.from({ length: CHANGERS }, (_, number) =>
      change({
        ...writer,
        random: random.fork(200 + number),
        answered: (what, status) => {
          progress.written++;
          const outcome = status < 500 ? `${Math.floor(status / 100)}xx` : `${status} ${what}`;
          answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
        },
      }),
    ),
  ];
  const hurting = readers.map((reader, n) => hurtNowAndThen(reader, random.fork(300 + n), isOver));
  const chaos = endReplicas(replicas, random.fork(3), () => progress.written >= events).finally(() => {
    progress.isChaosOver = true;
  });
  try {
    await Promise.all([chaos, ...writing, ...hurting]);
  } finally {
    progress.isStill = true;
    await Promise.allSettled([chaos, ...writing, ...hurting]);
  }
  const ended_ms = performance.now() - startedAt_ms;
  for (const guild of stage.guilds) await say(guild, guild.marks_id, MARK);
  const log = await database.eventsAfter(first);
  const { streams, guilds } = replay(start, log);
  await until(
    'all readers have heard the last of their guilds',
    END_WITHIN_MS,
    () => readers.every((reader) => hasHeardAll(reader, streams)) || undefined,
  ).catch(() => undefined); // The comparison says what is missing.
  const compared = readers.map((reader) => compare(reader, streams));
  const problems = [
    ...(await wrongEnds(database, account_ids, guilds)),
    ...readers.flatMap(({ faults }) => faults),
    ...compared.flatMap((one) => one.problems),
    ...replicas.flatMap((replica) => replica.errors().map((line) => `replica ${replica.name}: ${line}`)),
  ];
  if (problems.length > 0) problems.push(...outagesOf(replicas));
  return { problems, figures: figuresOf(scene, log.length, compared, ended_ms, answers) };
}

const MARK = 'the end';

function openReaders(stage: Stage, replicas: readonly ReplicaProcess[], random: Random): Reader[] {
  const accounts = [...stage.people, ...stage.bots];
  return Array.from({ length: READERS }, (_, n) => {
    // Some accounts have two.
    const account = accounts[n % accounts.length];
    if (account === undefined) throw new Error('nobody is there');
    const { token } = account;
    const name = `reader ${n + 1}`;
    return openReader({ name, account_id: idOf(account), token, replicas, random: random.fork(n) });
  });
}

async function hurtNowAndThen(reader: Reader, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await pause(random.between(200, 5_000));
    if (!isOver()) reader.hurt();
  }
}

/** Kills and stops them, mostly one after the other, until enough was done and it is late. */
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
    if (n >= wanted.length && random.chance(0.2)) {
      await pause(random.below(4_000));
      await Promise.all(replicas.filter((one) => one !== replica).map((one) => one.restart('SIGKILL')));
    }
    await ending;
  }
}

function hasHeardAll(
  { account_id, heard, isListening }: Reader,
  streams: ReturnType<typeof replay>['streams'],
) {
  const last = heard.segments.at(-1);
  if (last === undefined || !isListening()) return false;
  return streams.scopesOf(account_id).every((scope) => {
    const key = streams.of(account_id, scope).keys.at(-1);
    const told = last.told.get(scope)?.at(-1)?.key;
    return (
      key === told || (told === undefined && streams.of(account_id, scope).isAtEnd(last.starts.get(scope)))
    );
  });
}

/** The naive reading of the log must end where the database does. */
async function wrongEnds(
  database: ChatDatabase,
  account_ids: readonly string[],
  guilds: readonly PlainGuild[],
): Promise<string[]> {
  const states = await database.states(account_ids);
  return guilds.flatMap((replayed) => {
    const stored = states.guilds.find(({ guild }) => guild?.id === replayed.row.id);
    const lines = stored === undefined ? ['it is gone'] : differences(replayed, plainGuild(stored));
    return lines.length === 0
      ? []
      : [`guild ${replayed.row.id} by its log, and as it is:\n  ${lines.join('\n  ')}`];
  });
}

/** When replicas ended, and what they said of it. */
function outagesOf(replicas: readonly ReplicaProcess[]): string[] {
  return replicas.flatMap(({ name, outages, about }) => [
    ...outages.map(
      ({ kind, from_ms, to_ms }) =>
        `replica ${name}: ${kind} from ${Math.round(from_ms)} to ${Math.round(to_ms)} ms`,
    ),
    ...about('not all sessions').map((line) => `replica ${name}: ${line}`),
  ]);
}

function figuresOf(
  { replicas, readers }: Scene,
  events: number,
  compared: readonly Compared[],
  ended_ms: number,
  answers: ReadonlyMap<string, number>,
): Figures {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const outages = replicas.flatMap((replica) => replica.outages);
  const counts = readers.map((reader) => reader.counts);
  return {
    events,
    heard: sum(compared.map((one) => one.events)),
    seconds: Math.round(ended_ms / 1000),
    kills: outages.filter(({ kind }) => kind === 'SIGKILL').length,
    drains: outages.filter(({ kind }) => kind === 'SIGTERM').length,
    hurts: sum(counts.map(({ hurts }) => hurts)),
    resumed: sum(counts.map(({ resumed }) => resumed)),
    anew: sum(counts.map(({ anew }) => anew)),
    longest_gap_ms: Math.round(Math.max(...counts.map(({ longest_gap_ms }) => longest_gap_ms))),
    answers: Object.fromEntries(answers),
  };
}
