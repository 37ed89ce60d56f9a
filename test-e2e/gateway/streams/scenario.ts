import type { OwnStack } from '../../support/stack.ts';
import { type ChatDatabase, openChatDatabase } from './chat-database.ts';
import { type Random, randomOf } from './random.ts';
import { Reader } from './reader.ts';
import { type ReplicaProcess, startReplicaProcesses } from './replica-process.ts';
import { createWorld, idOf, type World } from './world.ts';
import { WRITERS } from './writers.ts';

export interface ScenarioOptions {
  readonly stack: OwnStack;
  readonly database_url: string;
  readonly seed: number;
  /** Minimum number of events to write. */
  readonly events: number;
}

export interface Scenario {
  readonly database: ChatDatabase;
  readonly world: World;
  readonly replicas: readonly ReplicaProcess[];
  readonly readers: readonly Reader[];
  readonly random: Random;
  readonly events: number;
  close(): Promise<void>;
}

const READERS = 16;

/** Creates accounts and guilds, starts two replicas, and opens readers on them. */
export async function openScenario({
  stack,
  database_url,
  seed,
  events,
}: ScenarioOptions): Promise<Scenario> {
  const random = randomOf(seed);
  const database = openChatDatabase(database_url, stack.running.addresses.chat ?? '', WRITERS);
  const [world, replicas] = await Promise.all([
    createWorld(stack.api, random.fork(1)),
    startReplicaProcesses(stack, ['A', 'B']),
  ]);
  const readers = openReaders(world, replicas, random.fork(2));
  const close = async (): Promise<void> => {
    await Promise.all(readers.map((reader) => reader.close()));
    await Promise.all(replicas.map((replica) => replica.close()));
    await database.close();
  };
  return { database, world, replicas, readers, random, events, close };
}

function openReaders(world: World, replicas: readonly ReplicaProcess[], random: Random): Reader[] {
  const accounts = [...world.people, ...world.bots];
  return Array.from({ length: READERS }, (_, n) => {
    // Some accounts have two readers.
    const account = accounts[n % accounts.length];
    if (account === undefined) throw new Error('there are no accounts');
    const { token } = account;
    const name = `reader ${n + 1}`;
    return new Reader({ name, account_id: idOf(account), token, replicas, random: random.fork(n) });
  });
}
