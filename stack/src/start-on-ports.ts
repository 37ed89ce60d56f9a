import { connectableHost } from '@gatehouse/cli/stack/addresses';
import { stopAll } from '@gatehouse/runner/stop-all';
import { PortLost } from './port-lost.ts';
import { choosePorts } from './ports.ts';
import { PROCESSES } from './processes.ts';
import type { Started } from './start-processes.ts';
import type { Supervised } from './supervise.ts';
import { untilListening } from './until-listening.ts';
import { untilReady } from './until-ready.ts';
import { watchLog } from './watch-log.ts';

/** The index of the console's gRPC port: it listens there last. */
const CONSOLE_PORT = PROCESSES.find(({ name }) => name === 'console')?.port_index ?? 0;

export const READY_WITHIN_MS = 60_000;
const MAX_TRIES = 5;

export interface StartOptions {
  readonly host: string;
  /** The edge's port. 0: free ports. */
  readonly port: number;
  /** Further free ports, after those of the processes. */
  readonly extra_ports?: number;
  /** The environment of each process for these ports. */
  readonly environmentsAt: (ports: readonly number[]) => readonly NodeJS.ProcessEnv[];
  /** Starts every process with its environment. */
  readonly start: (environments: readonly NodeJS.ProcessEnv[]) => Started;
  /** The processes that call a process, by its name. They stop before it. */
  readonly callersOf: (name: string) => readonly string[];
  readonly say: (line: string) => void;
  /** Cancels the start. */
  readonly signal: AbortSignal | undefined;
}

export interface StartedStack {
  readonly processes: readonly Supervised[];
  readonly ports: readonly number[];
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts all processes and waits until they are ready. If an outgoing connection takes the port of a process before
 * it listens, all processes restart, a few times: the connection may be one of their own.
 */
export async function startOnPorts(options: StartOptions): Promise<StartedStack> {
  for (let tried = 1; ; tried++) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (!(error instanceof PortLost) || tried === MAX_TRIES) throw error;
      options.say(`${error.message}; starting all processes again (${tried + 1} of ${MAX_TRIES} tries)`);
    }
  }
}

async function startOnce(options: StartOptions): Promise<StartedStack> {
  const { host, port, extra_ports, environmentsAt, start, callersOf, say, signal } = options;
  const ports = await choosePorts(host, port, say, extra_ports);
  const { processes, misconfigured, port_lost } = start(environmentsAt(ports));
  const watches = processes.map(({ name, log_file }) => watchLog(name, log_file, say));
  const stop = async (): Promise<void> => {
    for (const end of watches) end();
    await stopAll(processes, callersOf);
  };
  const url = `http://${connectableHost(host)}:${ports[0]}`;
  const given_up = new AbortController();
  const until = AbortSignal.any([given_up.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    const ready = Promise.all([
      untilReady(url, READY_WITHIN_MS, until),
      untilListening('console', ports[CONSOLE_PORT] ?? 0, READY_WITHIN_MS, until),
    ]);
    ready.catch(() => undefined); // it goes on after another failure
    await Promise.race([ready, misconfigured, port_lost]);
    return { processes, ports, url, stop };
  } catch (error) {
    given_up.abort();
    await stop();
    throw error;
  }
}
