import { join, resolve } from 'node:path';
import { holdPidFile } from '@gatehouse/dev-env/processes/pid-file';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { compileAhead } from './compile-ahead.ts';
import { type Database, superviseDatabase } from './database.ts';
import { makeLogFolder } from './logs.ts';
import { choosePorts, warnOfEphemeral } from './ports.ts';
import { consoleUrl, environments, PORT_NAMES, PROCESSES } from './processes.ts';
import { secretsOf } from './secrets.ts';
import { serviceLogins } from './service-logins.ts';
import { callingGroups, type Group, groupsOf } from './shared-processes.ts';
import { writeStackRecord } from './stack-record.ts';
import { READY_WITHIN_MS, type StartedStack, startOnPorts } from './start-on-ports.ts';
import { type Started, startProcesses } from './start-processes.ts';
import { untilReady } from './until-ready.ts';

const WEB_SOCKETS = PORT_NAMES.indexOf('WebSockets');

export interface StackOptions {
  /** The address on which the edge listens. Default: 127.0.0.1. */
  readonly host?: string;
  /** The edge's port; the services take the ports after it. 0: free ports. */
  readonly port: number;
  readonly data_dir: string;
  /** A PostgreSQL server. Default: the embedded one. */
  readonly database_url?: string | undefined;
  /** Runs the edge and its services in this process. Default: each in its own. */
  readonly one_process?: boolean;
  /** Services that share a process; the others have one each. */
  readonly shared_processes?: readonly Group[];
  /** For tests, in one process: a service that changes a received message fails. */
  readonly frozen?: boolean;
  /** Serves metrics on free ports of loopback if METRICS_LISTEN is not set: for the console. */
  readonly metrics?: boolean;
  /** Settings of the processes. They inherit nothing from this process's environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Called with a line of text for each notable event. */
  readonly say?: (line: string) => void;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
}

export interface Stack {
  /** The URL of the edge, without a path. */
  readonly url: string;
  /** The URL of the console, without a path. */
  readonly console_url: string;
  /** The address of each process, host:port, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The address of realtime's WebSockets, host:port. */
  readonly web_sockets: string;
  /** The process of each service, and `postgres`. Undefined while it is down. */
  pids(): Record<string, number | undefined>;
  /** Resolves once every service answers. */
  ready(): Promise<void>;
  /** Stops everything in order, within 10 s after the drain delay. */
  close(): Promise<void>;
  /** Kills everything. */
  kill(): void;
}

/**
 * Starts the edge and its services on a database, in separate processes or in this one. Resolves once all of them
 * answer. A failed start leaves nothing running.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { host = '127.0.0.1', say = () => undefined, signal } = options;
  const data_dir = resolve(options.data_dir);
  const resources = resourceStack();
  try {
    const logs = makeLogFolder(data_dir);
    resources.add('lock', holdPidFile(join(data_dir, 'stack.pid'), `DATA_DIR ${data_dir}`));
    warnOfEphemeral(options.port, say);
    await choosePorts(host, options.port, say); // A port in use is reported before anything starts.
    const starter = compileAhead().then(() => starterOf(options, logs, say));
    starter.catch(() => undefined); // The database may fail first.
    const database = await openDatabase(options.database_url, data_dir, logs, say);
    resources.add('database', () => database.close());

    const shared = options.database_url !== undefined;
    const secrets = secretsOf({ data_dir, env: options.env, shared_database: shared, say });
    const database_urls = await serviceLogins(database.url, say);
    const env = { ...options.env, ...secrets };
    signal?.addEventListener('abort', () => database.keepDown());
    const started = await startOnPorts({
      host,
      port: options.port,
      extra_ports: options.metrics && !env.METRICS_LISTEN ? PROCESSES.length : 0,
      start: await starter,
      callersOf: callingGroups(options.one_process ? [] : groupsOf(options.shared_processes ?? [])),
      environmentsAt: (ports) => environments({ host, ports, data_dir, database_urls, env }),
      say,
      signal,
    });
    resources.add('processes', () => {
      database.keepDown();
      return started.stop();
    });

    const console_url = consoleUrl(env, started.ports);
    const stack = stackOf(started, { database, console_url, close: resources.close });
    writeStackRecord(data_dir, { ...stack, shared: sharesDescriptors(options) });
    return stack;
  } catch (error) {
    await resources.close().catch(() => undefined); // The first error is the one to report.
    throw error;
  }
}

function sharesDescriptors({ one_process = false, shared_processes = [] }: StackOptions): boolean {
  const hasClients = (name: string): boolean => name === 'gateway' || name === 'realtime';
  return one_process || shared_processes.some((group) => group.length > 1 && group.some(hasClients));
}

function stackOf(
  { processes, ports, url }: StartedStack,
  { database, ...own }: Pick<Stack, 'console_url' | 'close'> & { readonly database: Database },
): Stack {
  return {
    ...own,
    url,
    addresses: Object.fromEntries(
      PROCESSES.map(({ name, port_index }) => [name, `127.0.0.1:${ports[port_index]}`]),
    ),
    web_sockets: `127.0.0.1:${ports[WEB_SOCKETS]}`,
    pids: () => ({
      postgres: database.pid(),
      ...Object.fromEntries(
        processes.flatMap((one) => one.name.split('+').map((service) => [service, one.pid()])),
      ),
    }),
    ready: () => untilReady(url, READY_WITHIN_MS),
    kill: () => {
      for (const one of processes) {
        one.keepDown();
        one.kill();
      }
    },
  };
}

/** Separate processes load their services themselves, so this one does not. */
async function starterOf(
  { one_process = false, shared_processes = [], frozen = false }: StackOptions,
  logs: string,
  say: (line: string) => void,
): Promise<(environments: readonly NodeJS.ProcessEnv[]) => Started> {
  if (!one_process) return (environments) => startProcesses(environments, shared_processes, logs, say);
  const { startServices } = await import('./start-services.ts');
  return (environments) => startServices({ environments, logs, say, frozen });
}

async function openDatabase(
  given: string | undefined,
  data_dir: string,
  logs: string,
  say: (line: string) => void,
): Promise<Database> {
  if (given !== undefined)
    return { url: given, pid: () => undefined, keepDown: () => undefined, close: async () => undefined };
  say('starting PostgreSQL');
  return superviseDatabase(data_dir, join(logs, 'postgres.log'), say);
}
