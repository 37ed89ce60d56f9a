import { callersOf } from './callers.ts';

/** What of a process a stop needs. */
export interface Stoppable {
  readonly name: string;
  /** From now on it is not started again when it ends. */
  keepDown(): void;
  /** Asks it to end, and comes back once it has. */
  stop(): Promise<void>;
}

/**
 * Asks each process to end once all that call it have ended, and all others at the same time. So requests under way are
 * answered, and a process that is slow to end holds up only those that it still needs. None is started again meanwhile.
 */
export async function stopAll(
  processes: readonly Stoppable[],
  callers: (name: string) => readonly string[] = callersOf,
): Promise<void> {
  for (const one of processes) one.keepDown();
  const stops = new Map<string, Promise<void>>();
  const stopped = (one: Stoppable): Promise<void> => {
    const begun = stops.get(one.name);
    if (begun !== undefined) return begun;
    const names = callers(one.name);
    const calling = processes.filter(({ name }) => names.includes(name));
    const stop = Promise.all(calling.map(stopped)).then(() => one.stop());
    stops.set(one.name, stop);
    return stop;
  };
  await Promise.all(processes.map(stopped));
}
