import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { basename } from 'node:path';
import { ConfigError, type EnvReader, readEnv } from '@gatehouse/kit/env';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { SERVICE_NAMES, type ServiceName } from '@gatehouse/proto/services';
import { environments, PORT_COUNT, PROCESSES } from './processes.ts';
import type { Group } from './shared-processes.ts';

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly data_dir: string;
  readonly database_url: string | undefined;
  /** The edge and its services share a process. */
  readonly one_process: boolean;
  /** Services that share a process. */
  readonly shared_processes: readonly Group[];
}

/**
 * Reads the settings of `npm start`. The processes get all other variables unchanged. Their settings are read here
 * too, so that every problem is reported before anything starts.
 *
 * @throws ConfigError naming every problem
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return readEnv(env, (read) => {
    for (const problem of problemsOfProcesses(env)) read.problem(problem);
    checkCertificates(read);
    checkMetricsPort(read);
    return {
      host: address(read),
      port: port(read),
      data_dir: read.text('DATA_DIR', { about: 'the embedded database, mail and logs', default: '.data' }),
      database_url: read.optionalUrl('DATABASE_URL', DATABASE_URL),
      one_process: read.choice('ONE_PROCESS', ONE_PROCESS) === 'yes',
      shared_processes: sharedProcesses(read),
    };
  });
}

function sharedProcesses(read: EnvReader): Group[] {
  const groups = (read.optionalText('SHARED_PROCESSES', SHARED_PROCESSES) ?? '').split(/\s+/).filter(Boolean);
  const names = groups.flatMap((group) => group.split(','));
  const isKnown = (name: string): name is ServiceName => SERVICE_NAMES.some((known) => known === name);
  for (const name of names.filter((name) => !isKnown(name)))
    read.problem(`SHARED_PROCESSES has '${name}', which is no service: they are ${SERVICE_NAMES.join(', ')}`);
  if (new Set(names).size < names.length) read.problem('SHARED_PROCESSES has a service twice');
  return groups.map((group) => SERVICE_NAMES.filter((name) => group.split(',').includes(name)));
}

/** Each process has its own certificate. */
function checkCertificates(read: EnvReader): void {
  const folder = read.optionalText('RPC_TLS_DIR', RPC_TLS_DIR);
  if (folder === undefined) {
    if (SINGLE_PROCESS_SETTINGS.some((name) => read.raw(name) !== undefined))
      read.problem(
        `${SINGLE_PROCESS_SETTINGS.join(', ')} configure a single process; for npm start set RPC_TLS_DIR`,
      );
    return;
  }
  const files = PROCESSES.flatMap(({ name }) => Object.values(certificateFilesIn(folder, name)));
  const missing = [...new Set(files)].filter((file) => !existsSync(file)).map((file) => basename(file));
  if (missing.length > 0)
    read.problem(
      `RPC_TLS_DIR has no ${missing.join(', ')}; npm run gatehouse -- certificates DIR creates such a folder`,
    );
}

const DATABASE_URL = {
  about:
    'a PostgreSQL server, on which each service gets a database, and a role if this user may create roles (docs/database.md)',
  protocols: ['postgres', 'postgresql'],
  unset: 'an embedded one',
  example: 'postgres://user:password@127.0.0.1:5432/gatehouse',
};
const ONE_PROCESS = {
  about: '`yes` runs the edge and all services in one process',
  choices: ['yes', 'no'],
  default: 'no',
} as const;
const SHARED_PROCESSES = {
  about: 'services that share a process, separated by commas; spaces separate processes (docs/processes.md)',
  unset: 'each has its own',
  example: 'gateway,ratelimit,auth chat,realtime',
};
const RPC_TLS_DIR = {
  about:
    'a folder with ca.pem, and NAME.pem and NAME-key.pem of each process, for mutual TLS; `npm run gatehouse -- certificates DIR` fills one',
  unset: 'no TLS, on loopback',
};

const LAST_PORT = 65_535;
const SINGLE_PROCESS_SETTINGS = ['RPC_TLS_CERT', 'RPC_TLS_KEY', 'RPC_TLS_CA'];

/** The settings that `npm start` makes for the processes are valid here; their problems are reported above. */
const GENERATED = {
  host: '127.0.0.1',
  ports: Array.from({ length: PORT_COUNT }, () => 0),
  data_dir: '.data',
  database_urls: Object.fromEntries(PROCESSES.map(({ name }) => [name, 'postgresql://embedded'])),
};
const GENERATED_SECRETS = each('AUTH_SECRET_KEY', 'CONSOLE_SECRET_KEY', 'RATELIMIT_KEY_SECRET');

/** Each problem once, with the processes that have it unless all have. */
function problemsOfProcesses(env: NodeJS.ProcessEnv): string[] {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const checked = environments({ ...GENERATED, env: { ...GENERATED_SECRETS, ...Object.fromEntries(given) } });
  const concerned = new Map<string, string[]>();
  for (const [index, { name, readConfig }] of PROCESSES.entries()) {
    // checkMetricsPort checks the ports after METRICS_LISTEN.
    for (const problem of problemsOf(readConfig, ownMetrics(checked[index] ?? {}, env)))
      concerned.set(problem, [...(concerned.get(problem) ?? []), name]);
  }
  return [...concerned].map(([problem, names]) =>
    names.length === PROCESSES.length ? problem : `${problem} (${names.join(', ')})`,
  );
}

function ownMetrics(
  checked: NodeJS.ProcessEnv,
  { METRICS_LISTEN, CONSOLE_METRICS }: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return { ...checked, METRICS_LISTEN, CONSOLE_METRICS };
}

function problemsOf(
  readConfig: (env: NodeJS.ProcessEnv) => unknown,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

function each(...names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, 'made by npm start and long enough']));
}

function address(read: EnvReader): string {
  const host = read.text('HOST', { about: 'the address that the edge listens on', default: '127.0.0.1' });
  if (host !== 'localhost' && isIP(host) === 0) read.problem('HOST must be an IP address or localhost');
  return host;
}

function port(read: EnvReader): number {
  const first = read.port('PORT', {
    about: `the port of the edge; the services and WebSockets take the ${PORT_COUNT - 1} after it`,
    default: 8080,
  });
  if (!leavesRoom(first, PORT_COUNT)) read.problem(`PORT must leave room for ${portsAfter(PORT_COUNT)}`);
  return first;
}

const portsAfter = (count: number): string => `the ${count - 1} ports after it`;

const METRICS_LISTEN = {
  about: 'host:port of `/metrics` of the edge; the services take the ports after it',
  unset: 'free ports of loopback, for the console',
  example: '127.0.0.1:9464',
};

/** The processes report an invalid port. */
function checkMetricsPort(read: EnvReader): void {
  const [, port] = /:([0-9]{1,5})$/.exec(read.optionalText('METRICS_LISTEN', METRICS_LISTEN) ?? '') ?? [];
  const count = PROCESSES.length;
  if (Number(port) <= LAST_PORT && !leavesRoom(Number(port), count))
    read.problem(`METRICS_LISTEN must leave room for ${portsAfter(count)}`);
}

function leavesRoom(first: number, count: number): boolean {
  return first + count - 1 <= LAST_PORT;
}
