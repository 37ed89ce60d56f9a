import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '@gatehouse/kit/env';
import { COMPILE_CACHE } from './compile-ahead.ts';
import { PROCESSES } from './processes.ts';
import { type Supervised, supervise } from './supervise.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];
/** V8 collects a heap that may grow to gigabytes late, and memory would stay high after a load. */
const MAX_HEAP_MIB = 256;
/** Without these glibc raises its thresholds by itself, and keeps freed blocks of this size. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
/** A process gives up by itself 10 s after its drain delay, and says so. */
const STOP_WITHIN_MS = 11_000;

export interface Started {
  readonly processes: readonly Supervised[];
  /** Rejects when a process cannot use its settings, with what it says; in one process, with why a service did not start. */
  readonly misconfigured: Promise<never>;
  /** Rejects with PortLost when a process finds its port taken. */
  readonly port_lost: Promise<never>;
}

/** Between the choice of the ports and its start somebody else took a port of a process. */
export class PortLost extends Error {
  constructor(name: string, port: number) {
    super(`${name} cannot listen on port ${port}, which another connection or program has taken`);
    this.name = 'PortLost';
  }
}

/** How long a process may take to end after it was asked to. */
export function stopWithin_ms(env: NodeJS.ProcessEnv | undefined): number {
  return STOP_WITHIN_MS + Number(env?.DRAIN_DELAY_SECONDS || 0) * 1_000;
}

/** Starts every process of the suite, each with its environment. */
export function startProcesses(
  environments: readonly NodeJS.ProcessEnv[],
  logs: string,
  say: (line: string) => void,
): Started {
  const misconfigured = Promise.withResolvers<never>();
  const port_lost = Promise.withResolvers<never>();
  // After the start nobody waits for them.
  for (const { promise } of [misconfigured, port_lost]) promise.catch(() => undefined);
  say(`starting ${PROCESSES.map(({ name }) => name).join(', ')}`);
  const processes = PROCESSES.map(({ name, entry, max_heap_mib = MAX_HEAP_MIB }, index) =>
    supervise({
      name,
      args: [...NODE_FLAGS, `--max-old-space-size=${max_heap_mib}`, entry],
      cwd: ROOT,
      env: { ...MALLOC, ...environments[index], NODE_COMPILE_CACHE: COMPILE_CACHE },
      log_file: join(logs, `${name}.log`),
      say,
      onBadConfig: (text) => misconfigured.reject(new ConfigError([text])),
      onPortLost: (port) => port_lost.reject(new PortLost(name, port)),
      stop_within_ms: stopWithin_ms(environments[index]),
    }),
  );
  return { processes, misconfigured: misconfigured.promise, port_lost: port_lost.promise };
}
