import { ConfigError } from './env.ts';
import { collectAfterLoads, collectGarbage } from './garbage.ts';
import type { Logger } from './log.ts';

/** EX_CONFIG of sysexits.h: starting again without other settings is pointless. */
const EXIT_CONFIG = 78;
const CLOSE_WITHIN_MS = 10_000;

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
  close(): Promise<void>;
}

/**
 * The body of every main.ts: starts, waits for SIGINT or SIGTERM, closes within 10 s, and ends with
 * 0; with 78 when the configuration cannot be used, and with 1 on any other failure.
 */
export async function runMain(name: string, start: () => Promise<Running>): Promise<void> {
  let running: Running;
  try {
    running = await start();
  } catch (error) {
    const config = error instanceof ConfigError;
    process.stderr.write(`${name}: ${config ? error.message : describe(error)}\n`);
    process.exit(config ? EXIT_CONFIG : 1);
  }
  collectGarbage();
  collectAfterLoads();
  const signalled = firstSignal();
  // Whoever reads this may send a signal the next moment.
  process.stderr.write(`${name}: listening on ${running.address}\n`);

  const signal = await signalled;
  process.stderr.write(`${name}: ${signal}, closing\n`);
  setTimeout(() => {
    process.stderr.write(`${name}: still open after ${CLOSE_WITHIN_MS} ms, giving up\n`);
    process.exit(1);
  }, CLOSE_WITHIN_MS).unref();
  try {
    await running.close();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${name}: ${describe(error)}\n`);
    process.exit(1);
  }
}

function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
