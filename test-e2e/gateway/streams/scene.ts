import type { OwnSuite } from '../../support/suite.ts';
import { type ChatDatabase, openChatDatabase } from './chat-database.ts';
import { type Figures, figuresOf } from './figures.ts';
import { type Random, randomOf } from './random.ts';
import { openReader, type Reader } from './reader.ts';
import { type ReplicaProcess, startReplicaProcesses } from './replica-process.ts';
import { idOf, openStage, type Stage } from './stage.ts';
import { problemsOf } from './verdict.ts';
import { WRITERS, work } from './work.ts';

export interface SceneOptions {
  readonly suite: OwnSuite;
  readonly database_url: string;
  readonly seed: number;
  /** So many are written, at least. */
  readonly events: number;
}

export interface Scene {
  readonly database: ChatDatabase;
  readonly stage: Stage;
  readonly replicas: readonly ReplicaProcess[];
  readonly readers: readonly Reader[];
  readonly random: Random;
  readonly events: number;
  close(): Promise<void>;
}

export interface Played {
  /** What is wrong, for people. */
  readonly problems: readonly string[];
  readonly figures: Figures;
}

const READERS = 16;

/** People, guilds, two replicas, and readers that have a session with one of them or will have soon. */
export async function openScene({ suite, database_url, seed, events }: SceneOptions): Promise<Scene> {
  const random = randomOf(seed);
  const database = openChatDatabase(database_url, suite.running.addresses.chat ?? '', WRITERS);
  const [stage, replicas] = await Promise.all([
    openStage(suite.api, random.fork(1)),
    startReplicaProcesses(suite, ['A', 'B']),
  ]);
  const readers = openReaders(stage, replicas, random.fork(2));
  const close = async (): Promise<void> => {
    await Promise.all(readers.map((reader) => reader.close()));
    await Promise.all(replicas.map((replica) => replica.close()));
    await database.close();
  };
  return { database, stage, replicas, readers, random, events, close };
}

/** Lets all of it happen, and says whether the readers were told what the log says. */
export async function play(scene: Scene): Promise<Played> {
  const { database, stage } = scene;
  const start = await database.states([...stage.people, ...stage.bots].map(idOf));
  const first = await database.lastEvent();
  const { answers, took_ms } = await work(scene);
  const { problems, written, heard } = await problemsOf(scene, start, first);
  return { problems, figures: figuresOf(scene, { written, heard, took_ms, answers }) };
}

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
