import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, isHostPort } from '@gatehouse/kit/env';
import { hostAndPort } from '@gatehouse/kit/net/host-port';
import { addressVariable, defaultAddress, SERVICES, type ServerName } from '@gatehouse/proto/services';
import { readStackRecord, type StackRecord } from './stack-record.ts';

const FIRST_PORT = SERVICES.gateway.ports.http;
const CONSOLE_PORT = SERVICES.console.ports.http;
/** The default of DATA_DIR in `npm start`. */
const DEFAULT_DATA_DIR = fileURLToPath(new URL('../../../.data', import.meta.url));

/** The edge of the stack on this machine, without a path: at PORT, or as stack.json in DATA_DIR says, or at 8080. */
export function edgeUrl(env: NodeJS.ProcessEnv): string {
  const port = portOf(env);
  const running = port === undefined ? runningStack(env) : undefined;
  return running?.url ?? `http://${connectableHost(env.HOST || '127.0.0.1')}:${port ?? FIRST_PORT}`;
}

/** The console of the stack on this machine, without a path: as stack.json in DATA_DIR says, or at its port after PORT. */
export function consoleUrl(env: NodeJS.ProcessEnv): string {
  const port = portOf(env);
  const running = port === undefined ? runningStack(env) : undefined;
  return running?.console_url ?? `http://127.0.0.1:${(port ?? FIRST_PORT) - FIRST_PORT + CONSOLE_PORT}`;
}

/**
 * The addresses of a service, host:port: those of its variable (replicas, separated by commas), or its address under
 * `npm start` with this PORT or DATA_DIR.
 * @throws ConfigError if the variable has no address
 */
export function serviceAddress(env: NodeJS.ProcessEnv, server: ServerName): string {
  const variable = addressVariable(server);
  const given = env[variable];
  if (!given) return stackAddress(env, server);
  const addresses = given.split(',').map((address) => address.trim());
  if (!addresses.every(isHostPort))
    throw new ConfigError([`${variable} must be host:port, or several separated by commas`]);
  return addresses.join(',');
}

/** A listening host as clients connect to it: the unspecified addresses mean this machine. */
export function connectableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIPv6(host) ? `[${host}]` : host;
}

/** The address for a client on this machine, of one on which a server listens. */
export function connectableAddress(address: string): string {
  const { host, port } = hostAndPort(address);
  return `${connectableHost(host)}:${port}`;
}

function stackAddress(env: NodeJS.ProcessEnv, server: ServerName): string {
  const port = portOf(env);
  if (port === undefined) return runningStack(env)?.addresses[server] ?? defaultAddress(server);
  return `127.0.0.1:${port - FIRST_PORT + SERVICES[server].ports.grpc}`;
}

/** With port 0 the stack takes free ports; only its record has them. */
function portOf({ PORT = '' }: NodeJS.ProcessEnv): number | undefined {
  return /^[1-9][0-9]{0,4}$/.test(PORT) ? Number(PORT) : undefined;
}

function runningStack(env: NodeJS.ProcessEnv): StackRecord | undefined {
  return readStackRecord(dataFolder(env));
}

/** The process of the stack that runs on this machine; undefined without one. */
export function stackProcess(env: NodeJS.ProcessEnv): number | undefined {
  return runningStack(env)?.pid;
}

/** Whether the edge or realtime of that stack shares its process, and so its descriptors, with other services. */
export function stackShares(env: NodeJS.ProcessEnv): boolean {
  return runningStack(env)?.shared === true;
}

/** DATA_DIR, or the default of `npm start`. */
export function dataFolder({ DATA_DIR }: NodeJS.ProcessEnv): string {
  return resolve(DATA_DIR || DEFAULT_DATA_DIR);
}
