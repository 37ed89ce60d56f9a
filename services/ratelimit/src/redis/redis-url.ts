import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** The parts of REDIS_URL. */
export interface RedisTarget {
  /** One server, the primary that Sentinels name, or a Redis Cluster. */
  readonly layout: 'single' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or some of the cluster's nodes; at least one. */
  readonly hosts: readonly Host[];
  /** The Sentinels' name of the primary; empty in other layouts. */
  readonly name: string;
  readonly db: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The password of the Sentinels themselves. */
  readonly sentinel_password: string | undefined;
  /** Undefined: without TLS. */
  readonly tls: ConnectionOptions | undefined;
}

const FORM =
  /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const PARAMETERS = new Set(['ca_file', 'sentinel_password']);

/**
 * Reads REDIS_URL:
 *
 *     redis://[[user]:password@]host[:6379][/database]
 *     redis+sentinel://[[user]:password@]host[:26379],…/name[/database][?sentinel_password=…]
 *     redis+cluster://[[user]:password@]host[:6379],…
 *
 * and the same with `rediss` for TLS, where `?ca_file=PATH` names the authorities to trust instead of the
 * machine's.
 *
 * @throws Error saying what is wrong; never with the URL's password
 */
export function parseRedisUrl(url: string): RedisTarget {
  const match = FORM.exec(url);
  if (match === null) throw new Error(`REDIS_URL must be ${FORMS}`);
  const [, scheme, suffix, credentials, hosts = '', path = '', query = ''] = match;
  const layout = suffix === 'sentinel' || suffix === 'cluster' ? suffix : 'single';
  const parameters = readParameters(query);
  const sentinel = layout === 'sentinel';
  const target: RedisTarget = {
    layout,
    hosts: hosts.split(',').map((host) => readHost(host, sentinel ? 26379 : 6379)),
    ...readPath(layout, path),
    ...readCredentials(credentials),
    sentinel_password: parameters.get('sentinel_password') ?? undefined,
    tls: readTls(scheme === 'rediss', parameters.get('ca_file')),
  };
  if (layout === 'single' && target.hosts.length > 1) {
    throw new Error('REDIS_URL names several hosts: use redis+sentinel:// or redis+cluster://');
  }
  return target;
}

const FORMS =
  'redis://host:port, redis+sentinel://host:port,…/name or redis+cluster://host:port,…, or the same with rediss';

function readHost(text: string, defaultPort: number): Host {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::([0-9]{1,5}))?$/.exec(text);
  const port = Number(match?.[2] ?? defaultPort);
  if (match === null || port < 1 || port > 65_535) throw new Error('REDIS_URL: a host must be host:port');
  return { host: (match[1] ?? '').replace(/^\[|\]$/g, ''), port };
}

function readPath(layout: RedisTarget['layout'], path: string): { name: string; db: number } {
  const parts = path.split('/').filter((part) => part !== '');
  const name = layout === 'sentinel' ? decode(parts.shift() ?? '') : '';
  if (layout === 'sentinel' && name === '') {
    throw new Error(
      'REDIS_URL must end with the name that the Sentinels know: redis+sentinel://host:port/name',
    );
  }
  const [db = '0', ...rest] = parts;
  if (rest.length > 0 || !/^[0-9]{1,4}$/.test(db))
    throw new Error('REDIS_URL: the database must be a number');
  if (layout === 'cluster' && db !== '0') throw new Error('REDIS_URL: a Redis Cluster has database 0 only');
  return { name, db: Number(db) };
}

function readCredentials(text: string | undefined): Pick<RedisTarget, 'username' | 'password'> {
  if (text === undefined || text === '') return { username: undefined, password: undefined };
  const colon = text.indexOf(':');
  if (colon < 0) throw new Error('REDIS_URL: credentials are user:password@ or :password@');
  const username = decode(text.slice(0, colon));
  return { username: username === '' ? undefined : username, password: decode(text.slice(colon + 1)) };
}

function readParameters(query: string): URLSearchParams {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!PARAMETERS.has(name)) throw new Error(`REDIS_URL: unknown parameter ${name}`);
  }
  return parameters;
}

function readTls(isTls: boolean, file: string | null): ConnectionOptions | undefined {
  if (!isTls && file !== null) throw new Error('REDIS_URL: ca_file is for rediss only');
  if (!isTls) return undefined;
  if (file === null) return {};
  try {
    return { ca: readFileSync(file) };
  } catch (error) {
    throw new Error(`REDIS_URL: ca_file cannot be read: ${file}`, { cause: error });
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('REDIS_URL has an invalid % escape: write a % in user or password as %25');
  }
}
