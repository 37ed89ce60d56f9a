import { ConfigError } from './env.ts';
import type { Logger } from './log.ts';
import { writeBestEffort } from './system/best-effort-write.ts';
import { collectAfterLoads, collectGarbage } from './system/garbage.ts';

/** EX_CONFIG of sysexits.h: a restart with the same settings fails again. */
const EXIT_CONFIG = 78;
const CLOSE_TIMEOUT_MS = 10_000;
const STDERR = 2;

/** The open resources of a process, such as servers, connections and jobs. They are closed in reverse order. */
export interface Resources {
  add(name: string, close: () => unknown): void;
  close(): Promise<void>;
}

/**
 * Collects the close functions of opened resources. If one fails, the others are still closed, and the errors are
 * thrown at the end.
 */
export function resourceStack(log?: Logger): Resources {
  const opened: { name: string; close: () => unknown }[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const { name, close } of opened.reverse()) {
      try {
        await close();
      } catch (error) {
        log?.error({ err: error, resource: name }, 'failed to close');
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'some resources failed to close');
  }

  return {
    add: (name, close) => opened.push({ name, close }),
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** Opens resources in order. If one fails, closes the opened ones and throws its error. */
export async function openResources<T>(log: Logger, open: (resources: Resources) => Promise<T>): Promise<T> {
  const resources = resourceStack(log);
  try {
    return await open(resources);
  } catch (error) {
    await resources.close().catch(() => undefined);
    throw error;
  }
}

export interface Running {
  /** The address it listens on, host:port. */
  readonly address: string;
  /** How long it keeps taking work after `close` is called. Default: 0. */
  readonly drain_delay_ms?: number;
  /** Begins shutdown: it is not ready from now on, and still takes work. */
  drain?(): void;
  close(): Promise<void>;
}

/** The commands of a process: without an argument, and `migrate`. */
export interface Commands {
  readonly run: () => Promise<Running>;
  /** Migrates the process's database. */
  readonly migrate?: () => Promise<void>;
}

/**
 * The body of every main.ts: starts, waits for SIGINT or SIGTERM, closes within 10 s after its drain delay, and exits
 * with 0. Further SIGTERMs have no effect; a further SIGINT exits at once. The exit code is 78 for an invalid
 * configuration, and 1 for any other failure.
 */
export async function runMain(name: string, { run, migrate }: Commands): Promise<void> {
  const [command, ...more] = process.argv.slice(2);
  if (command !== undefined) {
    if (command !== 'migrate' || migrate === undefined || more.length > 0) {
      const commands = migrate === undefined ? '' : ', or migrate: to bring the database up to date and end';
      writeBestEffort(STDERR, `${name}: takes no arguments${commands}\n`);
      process.exit(2);
    }
    await exitOnError(name, migrate);
    process.exit(0);
  }
  if (process.pid === 1) for (const signal of SIGNALS) process.once(signal, exitAtOnce);
  const running = await exitOnError(name, run);
  for (const signal of SIGNALS) process.off(signal, exitAtOnce);
  collectGarbage();
  collectAfterLoads();
  const signalled = firstSignal(); // listens before the next line is written, whose reader may send a signal at once
  writeBestEffort(STDERR, `${name}: listening on ${running.address}\n`);

  const signal = await signalled;
  process.once('SIGINT', exitAtOnce);
  writeBestEffort(STDERR, `${name}: ${signal}, closing\n`);
  const timeout_ms = CLOSE_TIMEOUT_MS + (running.drain_delay_ms ?? 0);
  setTimeout(() => {
    writeBestEffort(STDERR, `${name}: still open after ${timeout_ms} ms, giving up\n`);
    process.exit(1);
  }, timeout_ms).unref();
  try {
    await running.close();
    process.exit(0);
  } catch (error) {
    writeBestEffort(STDERR, `${name}: ${describe(error)}\n`);
    process.exit(1);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first process of a container ignores a signal without a listener, so start and shutdown need one. Exiting
 * during a start is safe, as a crash is: the next start recovers.
 */
function exitAtOnce(): never {
  process.exit(1);
}

/** Runs `act`. Exits with its error if it fails. */
async function exitOnError<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const config = error instanceof ConfigError;
    writeBestEffort(STDERR, `${name}: ${config ? error.message : describe(error)}\n`);
    process.exit(config ? EXIT_CONFIG : 1);
  }
}

/** Keeps listening after the first signal, so that a repeated one does not kill the process. */
function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal));
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
