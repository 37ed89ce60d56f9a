import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '@gatehouse/kit/env';
import { SERVICE_NAMES, type ServiceName } from '@gatehouse/proto/services';
import { COMPILE_CACHE } from './compile-ahead.ts';
import { PortLost } from './port-lost.ts';
import { PROCESSES, type ProcessRow } from './processes.ts';
import { type Group, groupEnvironment, groupName, groupsOf, RUNNER } from './shared-processes.ts';
import { type Supervised, supervise } from './supervise.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];
/** Without a limit V8 lets the heap grow before it collects, and memory would stay high after a load. */
const MAX_HEAP_MIB = 256;
/** Without these glibc raises its thresholds, and keeps freed blocks of this size. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
/** A process exits 10 s after its drain delay at the latest. */
const STOP_WITHIN_MS = 11_000;

export interface Started {
  readonly processes: readonly Supervised[];
  /**
   * Rejects when a process cannot use its settings, with its message; in one process, with the error of a service's
   * start.
   */
  readonly misconfigured: Promise<never>;
  /** Rejects with PortLost when the port of a process is taken. */
  readonly port_lost: Promise<never>;
}

/** How long a process may take to stop. */
export function stopWithin_ms(env: NodeJS.ProcessEnv | undefined): number {
  return STOP_WITHIN_MS + Number(env?.DRAIN_DELAY_SECONDS || 0) * 1_000;
}

/** Starts every process of a stack. `shared` has the services that share one. */
export function startProcesses(
  environments: readonly NodeJS.ProcessEnv[],
  shared: readonly Group[],
  logs: string,
  say: (line: string) => void,
): Started {
  const misconfigured = Promise.withResolvers<never>();
  const port_lost = Promise.withResolvers<never>();
  // After the start these promises have no other handler.
  for (const { promise } of [misconfigured, port_lost]) promise.catch(() => undefined);
  const groups = groupsOf(shared);
  say(`starting ${groups.map(groupName).join(', ')}`);
  const processes = groups.map((group) => {
    const { name, entry, max_heap_mib, env } = programOf(group, environments);
    return supervise({
      name,
      args: [...NODE_FLAGS, `--max-old-space-size=${max_heap_mib}`, entry],
      cwd: ROOT,
      env: { ...MALLOC, ...env, NODE_COMPILE_CACHE: COMPILE_CACHE },
      log_file: join(logs, `${name}.log`),
      say,
      onBadConfig: (text) => misconfigured.reject(new ConfigError([text])),
      onPortLost: (port) => port_lost.reject(new PortLost(name, port)),
      stop_within_ms: stopWithin_ms(env),
    });
  });
  return { processes, misconfigured: misconfigured.promise, port_lost: port_lost.promise };
}

/** One service has its own program. Several run in the runner, with the sum of their heaps. */
function programOf(group: Group, environments: readonly NodeJS.ProcessEnv[]) {
  const rows = group.map((name) => PROCESSES[SERVICE_NAMES.indexOf(name)] as ProcessRow);
  const environmentOf = (name: ServiceName): NodeJS.ProcessEnv =>
    environments[SERVICE_NAMES.indexOf(name)] ?? {};
  const [first] = group as readonly [ServiceName];
  const isShared = group.length > 1;
  return {
    name: groupName(group),
    entry: isShared ? RUNNER : (rows[0] as ProcessRow).entry,
    max_heap_mib: rows.reduce((sum, row) => sum + (row.max_heap_mib ?? MAX_HEAP_MIB), 0),
    env: isShared ? groupEnvironment(group, environmentOf) : environmentOf(first),
  };
}
