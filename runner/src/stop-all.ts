import { callersOf } from './callers.ts';

/** A process that can be stopped. */
export interface Stoppable {
  readonly name: string;
  /** Stops restarting it. */
  keepDown(): void;
  /** Asks it to stop, and resolves once it has. */
  stop(): Promise<void>;
}

/**
 * Stops each process once all its callers have stopped, and otherwise all at the same time. So requests in flight
 * are answered, and a process that stops slowly delays only the processes that it calls. None restarts meanwhile.
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
