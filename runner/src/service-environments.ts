import { resolve } from 'node:path';
import { ConfigError } from '@gatehouse/kit/env';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import {
  addressVariable,
  defaultAddress,
  ownVariable,
  SERVICE_NAMES,
  type ServerName,
  type ServiceName,
  serviceNamed,
} from '@gatehouse/proto/services';

/**
 * Settings that each service of a process has separately: AUTH_DATABASE_URL is the DATABASE_URL of auth, and no other
 * service sees it. All other variables are shared.
 */
export const OWN_SETTINGS = [
  'HOST',
  'PORT',
  'LISTEN',
  'METRICS_LISTEN',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'RPC_TLS_CERT',
  'RPC_TLS_KEY',
  'TRUSTED_PROXIES',
  'LOG_LEVEL',
] as const;

/**
 * The settings of the list above that a service has. GATEWAY_LISTEN is a setting of realtime: the edge has no LISTEN.
 * CONSOLE_TRUSTED_PROXIES is a setting of its own: the console trusts none of the edge's proxies.
 */
export function ownSettingsOf(name: ServiceName): readonly string[] {
  const without = name === 'console' ? ['TRUSTED_PROXIES'] : isServer(name) ? [] : ['LISTEN'];
  return OWN_SETTINGS.filter((setting) => !without.includes(setting));
}

/**
 * Reads SERVICES: the names of the services that a process runs, separated by commas.
 *
 * @returns the names in the order of the manifest
 * @throws ConfigError
 */
export function readServiceNames({ SERVICES = '' }: NodeJS.ProcessEnv): ServiceName[] {
  const given = SERVICES.split(',').map((name) => name.trim());
  const known: readonly string[] = SERVICE_NAMES;
  const problems = [
    ...given
      .filter((name) => !known.includes(name))
      .map((name) => `SERVICES has '${name}', which is no service: they are ${known.join(', ')}`),
    ...(new Set(given).size < given.length ? ['SERVICES has a name twice'] : []),
  ];
  if (SERVICES === '') throw new ConfigError([`SERVICES is required: names of ${known.join(', ')}`]);
  if (problems.length > 0) throw new ConfigError(problems);
  return SERVICE_NAMES.filter((name) => given.includes(name));
}

/** The environment of each service of a process. Each has the addresses on which the others listen. */
export function serviceEnvironments(
  names: readonly ServiceName[],
  env: NodeJS.ProcessEnv,
): ReadonlyMap<ServiceName, NodeJS.ProcessEnv> {
  const local = Object.fromEntries(
    names.filter(isCalled).map((name) => [addressVariable(name), listenAddress(name, env)]),
  );
  return new Map(
    names.map((name, index) => [
      name,
      {
        ...withoutSecretsOfOthers(env, name),
        ...local,
        ...nthMetricsAddress(env, index),
        ...certificateVariables(env, name),
        ...ownSettings(name, env),
        ...(isServer(name) && { LISTEN: listenAddress(name, env) }),
      },
    ]),
  );
}

function ownSettings(name: ServiceName, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = ownSettingsOf(name).map((setting) => [setting, env[ownVariable(name, setting)]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''));
}

function isServer(name: ServiceName): name is ServerName {
  return serviceNamed(name).ports.grpc !== undefined;
}

/** Whether other services call it. The edge reaches realtime by its WebSockets alone. */
function isCalled(name: ServiceName): name is ServerName {
  return isServer(name) && serviceNamed(name).ports.websocket === undefined;
}

function listenAddress(name: ServerName, env: NodeJS.ProcessEnv): string {
  return env[ownVariable(name, 'LISTEN')] || defaultAddress(name);
}

/** METRICS_LISTEN is the first service's; the others take the ports after it. */
export function nthMetricsAddress({ METRICS_LISTEN }: NodeJS.ProcessEnv, index: number): NodeJS.ProcessEnv {
  const [, host, port] = /^(.+):([1-9][0-9]*)$/.exec(METRICS_LISTEN ?? '') ?? [];
  return host === undefined ? {} : { METRICS_LISTEN: `${host}:${Number(port) + index}` };
}

/** A service's certificate in the folder RPC_TLS_DIR. */
export function certificateVariables({ RPC_TLS_DIR }: NodeJS.ProcessEnv, name: string): NodeJS.ProcessEnv {
  if (!RPC_TLS_DIR) return {};
  const { cert, key, ca } = certificateFilesIn(resolve(RPC_TLS_DIR), name);
  return { RPC_TLS_CERT: cert, RPC_TLS_KEY: key, RPC_TLS_CA: ca };
}

/** An environment without the secrets of other services. */
export function withoutSecretsOfOthers(env: NodeJS.ProcessEnv, name: string): NodeJS.ProcessEnv {
  const others = SERVICE_NAMES.filter((other) => other !== name);
  const secrets = new Set<string>(
    others.flatMap((other) => [...(serviceNamed(other).secrets ?? []), ownVariable(other, 'DATABASE_URL')]),
  );
  return Object.fromEntries(Object.entries(env).filter(([variable]) => !secrets.has(variable)));
}
