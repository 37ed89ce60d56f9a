import { join } from 'node:path';
import type { Running } from '@gatehouse/kit/lifecycle';
import { createLogger } from '@gatehouse/kit/log';
import { logFile } from '@gatehouse/kit/log-output';
import { type LocalServers, localServers } from '@gatehouse/kit/rpc/direct/local-servers';
import { withTimeout } from '@gatehouse/kit/with-timeout';
import { SERVICE_NAMES, type ServiceName } from '@gatehouse/proto/services';
import { loadService } from '@gatehouse/runner/services';
import { lostPort, PortLost } from './port-lost.ts';
import { PROCESSES } from './processes.ts';
import { type Started, stopWithin_ms } from './start-processes.ts';
import type { Supervised } from './supervise.ts';

export interface ServicesOptions {
  /** One for each service, in the order of PROCESSES. */
  readonly environments: readonly NodeJS.ProcessEnv[];
  readonly logs: string;
  readonly say: (line: string) => void;
  /** For tests: a service that changes a received message fails. */
  readonly frozen: boolean;
}

/**
 * Starts the edge and its services in this process. They call each other without connections, and listen as separate
 * processes do: for clients of the edge, WebSockets of realtime, operators' commands and other callers of ratelimit.
 * The edge starts last.
 */
export function startServices({ environments, logs, say, frozen }: ServicesOptions): Started {
  const failed = Promise.withResolvers<never>();
  const port_lost = Promise.withResolvers<never>();
  // After the start these promises have no other handler.
  for (const { promise } of [failed, port_lost]) promise.catch(() => undefined);
  say(`starting ${PROCESSES.map(({ name }) => name).join(', ')} in one process`);
  const local = localServers({ frozen });

  const begin = (index: number, after: Promise<unknown>): Part => {
    const name = SERVICE_NAMES[index] as ServiceName;
    const part = startPart({ name, env: environments[index] ?? {}, logs, local, say, after });
    part.running.catch((error: Error) => {
      const port = lostPort(error.message);
      if (port === undefined) failed.reject(error);
      else port_lost.reject(new PortLost(name, port));
    });
    return part;
  };
  const others = PROCESSES.slice(1).map((_, index) => begin(index + 1, Promise.resolve()));
  const edge = begin(0, Promise.all(others.map(({ running }) => running)));
  return {
    processes: [edge, ...others],
    misconfigured: failed.promise,
    port_lost: port_lost.promise,
  };
}

interface PartOptions extends Pick<ServicesOptions, 'logs' | 'say'> {
  readonly name: ServiceName;
  readonly env: NodeJS.ProcessEnv;
  readonly local: LocalServers;
  readonly after: Promise<unknown>;
}

interface Part extends Supervised {
  readonly running: Promise<Running>;
}

/** Starts one service, with a log like that of a process. Stopping it takes no longer than stopping a process. */
function startPart({ name, env, logs, local, say, after }: PartOptions): Part {
  const log_file = join(logs, `${name}.log`);
  const output = logFile(log_file);
  const running = after.then(async () => {
    const { readConfig, start } = await loadService(name);
    const config = readConfig(env);
    const log = createLogger({ name, level: config.log_level, destination: output });
    return start(config, { log, local });
  });
  const stop = async (): Promise<void> => {
    const started = await running.catch(() => undefined);
    const closed = started?.close().catch((error: Error) => say(`${name}: ${error.message}`));
    const stop_within_ms = stopWithin_ms(env);
    const ended = await withTimeout(
      stop_within_ms,
      Promise.resolve(closed).then(() => true),
    );
    if (ended !== true)
      say(`${name} has not stopped within ${stop_within_ms / 1000} s; it ends with the process`);
    output.close();
  };
  return {
    name,
    log_file,
    running,
    pid: () => process.pid,
    keepDown: () => undefined,
    stop,
    kill: () => void stop(),
  };
}
