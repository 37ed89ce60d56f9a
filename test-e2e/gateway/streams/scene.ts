import type { OwnStack } from '../../support/stack.ts';
import { type ChatDatabase, openChatDatabase } from './chat-database.ts';
import { type Random, randomOf } from './random.ts';
import { openReader, type Reader } from './reader.ts';
import { type ReplicaProcess, startReplicaProcesses } from './replica-process.ts';
import { idOf, openStage, type Stage } from './stage.ts';
import { WRITERS } from './writers.ts';

export interface SceneOptions {
  readonly stack: OwnStack;
  readonly database_url: string;
  readonly seed: number;
  /** Minimum number of events to write. */
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

const READERS = 16;

/** Creates accounts and guilds, starts two replicas, and opens readers on them. */
export async function openScene({ stack, database_url, seed, events }: SceneOptions): Promise<Scene> {
  const random = randomOf(seed);
  const database = openChatDatabase(database_url, stack.running.addresses.chat ?? '', WRITERS);
  const [stage, replicas] = await Promise.all([
    openStage(stack.api, random.fork(1)),
    startReplicaProcesses(stack, ['A', 'B']),
  ]);
  const readers = openReaders(stage, replicas, random.fork(2));
  const close = async (): Promise<void> => {
    await Promise.all(readers.map((reader) => reader.close()));
    await Promise.all(replicas.map((replica) => replica.close()));
    await database.close();
  };
  return { database, stage, replicas, readers, random, events, close };
}

function openReaders(stage: Stage, replicas: readonly ReplicaProcess[], random: Random): Reader[] {
  const accounts = [...stage.people, ...stage.bots];
  return Array.from({ length: READERS }, (_, n) => {
    // Some accounts have two readers.
    const account = accounts[n % accounts.length];
    if (account === undefined) throw new Error('there are no accounts');
    const { token } = account;
    const name = `reader ${n + 1}`;
    return openReader({ name, account_id: idOf(account), token, replicas, random: random.fork(n) });
  });
}
