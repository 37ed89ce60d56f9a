import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectableAddress, connectableHost } from '@gatehouse/cli/stack/addresses';
import { hostAndPort, isLoopback } from '@gatehouse/kit/net/host-port';
import { CALLS } from '@gatehouse/proto/peers';
import {
  addressVariable,
  ownVariable,
  SERVICE_NAMES,
  type ServiceName,
  serviceNamed,
} from '@gatehouse/proto/services';
import { callersOf } from '@gatehouse/runner/callers';
import {
  certificateVariables,
  nthMetricsAddress,
  withoutSecretsOfOthers,
} from '@gatehouse/runner/service-environments';
import { logFolder } from './logs.ts';

/** One process of a stack. */
export interface ProcessRow {
  readonly name: string;
  /** The program, from the clone's root. */
  readonly entry: string;
  /** Reads its settings. @throws ConfigError naming every problem */
  readonly readConfig: (env: NodeJS.ProcessEnv) => unknown;
  /** The index of its port among the stack's ports. */
  readonly port_index: number;
  /** The index of the port of its WebSockets. */
  readonly websocket_index?: number;
  /** The index of the port of its HTTP server, beside that of gRPC. */
  readonly http_index?: number;
  /** Variables that say where it listens, each with the index of the port. */
  readonly address_variables: Readonly<Record<string, number>>;
  readonly has_database: boolean;
  /** V8's old space; 256 MiB unless given. */
  readonly max_heap_mib?: number;
}

const FIRST_PORT = Math.min(...SERVICE_NAMES.flatMap((name) => Object.values(serviceNamed(name).ports)));

/** The processes of the manifest. Their ports follow each other in its order: the edge's is PORT. */
export const PROCESSES: readonly ProcessRow[] = await Promise.all(SERVICE_NAMES.map(processOf));

async function processOf(name: ServiceName): Promise<ProcessRow> {
  const { folder, ports, database, max_heap_mib } = serviceNamed(name);
  const { readConfig }: Pick<ProcessRow, 'readConfig'> = await import(`@gatehouse/${name}/config`);
  const port_index = (ports.grpc ?? ports.http ?? 0) - FIRST_PORT;
  const websocket_index = ports.websocket === undefined ? undefined : ports.websocket - FIRST_PORT;
  const http_index =
    ports.grpc === undefined || ports.http === undefined ? undefined : ports.http - FIRST_PORT;
  return {
    name,
    entry: `${folder}/src/main.ts`,
    readConfig,
    port_index,
    address_variables: {
      // The edge needs the address of the WebSockets.
      ...(ports.grpc !== undefined && { [addressVariable(name)]: websocket_index ?? port_index }),
      ...(callsItself(name) && { [peersVariable(name)]: port_index }),
    },
    has_database: database !== undefined,
    ...(websocket_index !== undefined && { websocket_index }),
    ...(http_index !== undefined && { http_index }),
    ...(max_heap_mib !== undefined && { max_heap_mib }),
  };
}

function callsItself(name: ServiceName): boolean {
  return CALLS.some(({ from, to }) => from === name && to === name);
}

/** The addresses of a service's other replicas. */
function peersVariable(name: ServiceName): string {
  return ownVariable(name, 'PEERS');
}

/** The names of the stack's ports, in order. */
export const PORT_NAMES: readonly string[] = PROCESSES.flatMap((row) => [
  { name: row.name, index: row.port_index },
  ...(row.websocket_index === undefined ? [] : [{ name: 'WebSockets', index: row.websocket_index }]),
  ...(row.http_index === undefined ? [] : [{ name: `pages of ${row.name}`, index: row.http_index }]),
])
  .toSorted((one, other) => one.index - other.index)
  .map(({ name }) => name);
export const PORT_COUNT = PORT_NAMES.length;

/** The variables by which processes find each other. */
export function addresses(addressOf: (port_index: number) => string): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PROCESSES.flatMap(({ address_variables }) =>
      Object.entries(address_variables).map(([variable, index]) => [variable, addressOf(index)]),
    ),
  );
}

/** Built by `npm run generate`. */
const WEB_DIR = fileURLToPath(new URL('../../services/web/dist', import.meta.url));

export interface EnvironmentOptions {
  /** The address on which the edge listens. */
  readonly host: string;
  readonly ports: readonly number[];
  readonly data_dir: string;
  /** The URL with which each process that has a database logs in at the server, by the process's name. */
  readonly database_urls: Readonly<Record<string, string>>;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The environment of each process: the settings of the stack, the addresses of all processes, the URL of its
 * database, the port of its metrics (METRICS_LISTEN is the edge's, the others take the ports after it; without it, those
 * of `ports` after the processes' own), and its certificate in RPC_TLS_DIR. The console reads the metrics and the logs.
 * Only the edge and realtime have a drain delay, because the callers of the other services have stopped before them.
 */
export function environments({
  host,
  ports,
  data_dir,
  database_urls,
  env,
}: EnvironmentOptions): NodeJS.ProcessEnv[] {
  const addressOf = (index: number) => `127.0.0.1:${ports[index]}`;
  const metrics = PROCESSES.map((_, index) => metricsAddress(env, ports, index));
  return PROCESSES.map((row, index) => ({
    ...withoutSecretsOfOthers(env, row.name),
    ...addresses(addressOf),
    WEB_DIR: env.WEB_DIR || WEB_DIR,
    HOST: host,
    PORT: String(ports[0]),
    LISTEN: addressOf(row.port_index),
    ...(callersOf(row.name).length > 0 && { DRAIN_DELAY_SECONDS: '0' }),
    ...(row.websocket_index !== undefined && ofWebSockets(addressOf(row.websocket_index), env)),
    ...(row.http_index !== undefined && {
      CONSOLE_LISTEN: env.CONSOLE_LISTEN || addressOf(row.http_index),
    }),
    METRICS_LISTEN: metrics[index],
    ...(row.name === 'console' && sourcesOfConsole(env, metrics, data_dir)),
    ...certificateVariables(env, row.name),
    DATABASE_URL: row.has_database ? database_urls[row.name] : undefined,
    DATA_DIR: data_dir,
    DEV_MAIL_DIR: row.name === 'gateway' ? devMailDir(env, data_dir) : undefined,
  }));
}

function metricsAddress(env: NodeJS.ProcessEnv, ports: readonly number[], index: number): string | undefined {
  if (env.METRICS_LISTEN) return nthMetricsAddress(env, index).METRICS_LISTEN;
  const port = ports[PORT_COUNT + index];
  return port === undefined ? undefined : `127.0.0.1:${port}`;
}

/** Where the console finds metrics and logs. */
function sourcesOfConsole(
  env: NodeJS.ProcessEnv,
  metrics: readonly (string | undefined)[],
  data_dir: string,
): NodeJS.ProcessEnv {
  const targets = PROCESSES.flatMap(({ name }, index) => {
    const address = metrics[index];
    return address === undefined ? [] : [`${name}=${connectableAddress(address)}`];
  });
  return {
    CONSOLE_METRICS: env.CONSOLE_METRICS || targets.join(','),
    CONSOLE_LOG_DIR: env.CONSOLE_LOG_DIR || logFolder(data_dir),
  };
}

/**
 * The folder in which auth writes mails, if the stack runs in development: the edge shows them at /dev/mail. A stack with a
 * public address may be behind a proxy on this machine, whose requests look like local ones.
 */
export function devMailDir(
  { SMTP_URL, NODE_ENV, WEB_APP_URL }: NodeJS.ProcessEnv,
  data_dir: string,
): string | undefined {
  const host = URL.parse(WEB_APP_URL || 'http://localhost')?.hostname.replace(/^\[(.*)\]$/, '$1');
  const isPublic = host === undefined || !isLoopback(host);
  return SMTP_URL || NODE_ENV === 'production' || isPublic ? undefined : join(data_dir, 'mail');
}

/**
 * The URL of the console: CONSOLE_URL, or by the address on which it listens. On this machine that is `localhost`, since
 * passkeys need a name.
 */
export function consoleUrl(env: NodeJS.ProcessEnv, ports: readonly number[]): string {
  const { CONSOLE_URL, CONSOLE_LISTEN, CONSOLE_TLS_CERT } = env;
  if (CONSOLE_URL) return new URL(CONSOLE_URL).origin;
  const index = PROCESSES.find(({ http_index }) => http_index !== undefined)?.http_index ?? 0;
  const { host, port } = hostAndPort(CONSOLE_LISTEN || `127.0.0.1:${ports[index]}`);
  const reached = connectableHost(host);
  return `${CONSOLE_TLS_CERT ? 'https' : 'http'}://${isLoopback(host) || isLoopback(reached) ? 'localhost' : reached}:${port}`;
}

/** Its clients come through the edge on this machine, which sends their addresses. */
function ofWebSockets(gateway_listen: string, { TRUSTED_PROXIES }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const trusted = TRUSTED_PROXIES ? `${TRUSTED_PROXIES},127.0.0.1` : '127.0.0.1';
  return { GATEWAY_LISTEN: gateway_listen, TRUSTED_PROXIES: trusted };
}
