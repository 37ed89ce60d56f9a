import { ConfigError } from './env.ts';
import type { Logger } from './log.ts';
import { writeBestEffort } from './system/best-effort-write.ts';
import { collectAfterLoads, collectGarbage } from './system/garbage.ts';

/** EX_CONFIG of sysexits.h: starting again without other settings is pointless. */
const EXIT_CONFIG = 78;
const CLOSE_WITHIN_MS = 10_000;
const STDERR = 2;

/** What a process holds open, such as servers, connections and jobs; closed in reverse order. */
export interface Resources {
  add(name: string, close: () => unknown): void;
  close(): Promise<void>;
}

/**
 * Remembers how to close what a start opens. A resource that fails to close does not keep the others
 * open; its error is thrown at the end.
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

/** Opens resources in order; when one fails, closes those that were opened and throws its error. */
export async function opening<T>(log: Logger, open: (resources: Resources) => Promise<T>): Promise<T> {
  const resources = resourceStack(log);
  try {
    return await open(resources);
  } catch (error) {
    await resources.close().catch(() => undefined);
    throw error;
  }
}

export interface Running {
  /** Where it listens, host:port. */
  readonly address: string;
  /** How long it takes work after `close` was called, before it closes; 0 unless given. */
  readonly drain_delay_ms?: number;
  close(): Promise<void>;
}

/** What a process does without an argument, and with the argument `migrate`. */
export interface Commands {
  readonly run: () => Promise<Running>;
  /** Brings the process's database up to date. */
  readonly migrate?: () => Promise<void>;
}

/**
 * The body of every main.ts: starts, waits for SIGINT or SIGTERM, closes within 10 s after its drain delay, and ends with
 * 0. Further SIGTERMs change nothing; a SIGINT then ends it at once. It ends with 78 when the configuration cannot be
 * used, and with 1 on any other failure.
 */
export async function runMain(name: string, { run, migrate }: Commands): Promise<void> {
  const [command, ...more] = process.argv.slice(2);
  if (command !== undefined) {
    if (command !== 'migrate' || migrate === undefined || more.length > 0) {
      const commands = migrate === undefined ? '' : ', or migrate: to bring the database up to date and end';
      writeBestEffort(STDERR, `${name}: takes no arguments${commands}\n`);
      process.exit(2);
    }
    await orExit(name, migrate);
    process.exit(0);
  }
  if (process.pid === 1) for (const signal of SIGNALS) process.once(signal, cutShort);
  const running = await orExit(name, run);
  for (const signal of SIGNALS) process.off(signal, cutShort);
  collectGarbage();
  collectAfterLoads();
  const signalled = firstSignal();
  // Whoever reads this may send a signal the next moment.
  writeBestEffort(STDERR, `${name}: listening on ${running.address}\n`);

  const signal = await signalled;
  process.once('SIGINT', cutShort);
  writeBestEffort(STDERR, `${name}: ${signal}, closing\n`);
  const within_ms = CLOSE_WITHIN_MS + (running.drain_delay_ms ?? 0);
  setTimeout(() => {
    writeBestEffort(STDERR, `${name}: still open after ${within_ms} ms, giving up\n`);
    process.exit(1);
  }, within_ms).unref();
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
 * A container's first process ignores signals that it does not ask for, while it starts and closes too. What it has begun
 * is as after a crash, which every start copes with.
 */
function cutShort(): never {
  process.exit(1);
}

/** Ends the process where it fails. */
async function orExit<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const config = error instanceof ConfigError;
    writeBestEffort(STDERR, `${name}: ${config ? error.message : describe(error)}\n`);
    process.exit(config ? EXIT_CONFIG : 1);
  }
}

/** Who stops a process may tell it so again, or twice: it goes on listening, so that this does not kill it. */
function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal));
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
