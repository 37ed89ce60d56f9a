import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseConfig, readDatabaseConfig } from '@gatehouse/kit/db/database-config';
import { type EnvReader, readEnv } from '@gatehouse/kit/env';
import { parseNetworks } from '@gatehouse/kit/net/client-ip';
import { hostAndPort, isLoopback } from '@gatehouse/kit/net/host-port';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import {
  addressSetting,
  addressVariable,
  defaultAddress,
  listenSetting,
  SERVICES,
} from '@gatehouse/proto/services';
import { type MonitoringConfig, readMonitoring } from './monitoring-config.ts';

/** The files of the console's HTTPS server. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** The authority of operators' certificates; undefined: operators have none. */
  readonly client_ca: string | undefined;
}

export interface Config extends ProcessConfig, DatabaseConfig, MonitoringConfig {
  readonly listen: string;
  /** host:port of pages and of the HTTP API. */
  readonly http_listen: string;
  /** Its public URL without a trailing slash; undefined: by the address on which it listens. */
  readonly url: string | undefined;
  readonly secret_key: string;
  readonly tls: TlsFiles | undefined;
  readonly trusted_proxies: readonly string[];
  /** The header in which a trusted proxy names the operator, in lower case. */
  readonly operator_header: string | undefined;
  readonly local_operator: boolean;
  /** The folder in which the link and the token of the operator `local` are written. */
  readonly local_dir: string;
  readonly addresses: Addresses;
}

/** The gRPC addresses of the services that the console calls. */
export interface Addresses {
  readonly ratelimit: string;
  readonly auth: string;
  readonly chat: string;
  readonly oauth2: string;
  readonly webhook_delivery: string;
  readonly media: string;
  readonly realtime: string;
}

const SECRET_KEY_MIN = 32;
const CALLED = ['ratelimit', 'auth', 'chat', 'oauth2', 'webhook-delivery', 'media'] as const;

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const tls = readTls(read);
    const trusted_proxies = readProxies(read);
    return {
      listen: read.listenAddress(...listenSetting('console')),
      ...readDatabaseConfig(read, 'console', SERVICES.console.database),
      http_listen: readHttpListen(read, tls, trusted_proxies),
      url: readUrl(read),
      secret_key: readSecretKey(read),
      tls,
      trusted_proxies,
      operator_header: readOperatorHeader(read, trusted_proxies),
      ...readLocalOperator(read),
      addresses: readAddresses(read),
      ...readMonitoring(read),
      ...readProcessConfig(read, ['LISTEN', ...CALLED.map(addressVariable), 'REALTIME_PEERS']),
    };
  });
}

/** Plain HTTP beyond this machine needs a proxy that adds TLS. */
function readHttpListen(read: EnvReader, tls: TlsFiles | undefined, proxies: readonly string[]): string {
  const listen = read.listenAddress('CONSOLE_LISTEN', {
    about: 'host:port of the console’s pages and HTTP API',
    default: `127.0.0.1:${SERVICES.console.ports.http}`,
  });
  const insecure =
    read.choice('CONSOLE_INSECURE', {
      about: '`yes` allows the console without TLS beyond loopback, which shows every credential on the way',
      choices: ['yes', 'no'],
      default: 'no',
    }) === 'yes';
  const isOpen = listen !== '' && !isLoopback(hostAndPort(listen).host);
  if (isOpen && tls === undefined && proxies.length === 0 && !insecure)
    read.problem(
      'CONSOLE_LISTEN is beyond loopback without TLS: set CONSOLE_TLS_CERT and CONSOLE_TLS_KEY, CONSOLE_TRUSTED_PROXIES, or CONSOLE_INSECURE=yes',
    );
  return listen;
}

function readUrl(read: EnvReader): string | undefined {
  const url = read.optionalUrl('CONSOLE_URL', {
    about:
      'where operators find the console, without a path: the base of one-time links, and passkeys’ relying party',
    protocols: ['http', 'https'],
    unset: 'localhost, at the port of CONSOLE_LISTEN',
    example: 'https://console.example.com',
  });
  if (url === undefined) return undefined;
  const { href, origin } = new URL(url);
  if (href !== `${origin}/`) read.problem('CONSOLE_URL must have no path, query or user');
  return origin;
}

function readSecretKey(read: EnvReader): string {
  const key = read.text('CONSOLE_SECRET_KEY', {
    about: 'the key of operators’ TOTP secrets, the same for all replicas: at least 32 characters',
    example: 'another-random-secret-of-32-characters-or-more',
  });
  if (key !== '' && key.length < SECRET_KEY_MIN)
    read.problem(`CONSOLE_SECRET_KEY must have at least ${SECRET_KEY_MIN} characters`);
  return key;
}

function readTls(read: EnvReader): TlsFiles | undefined {
  const cert = readFile(read, 'CONSOLE_TLS_CERT', 'the console’s certificate, a PEM file', 'no TLS');
  const key = readFile(read, 'CONSOLE_TLS_KEY', 'its key, a PEM file', 'no TLS');
  const client_ca = readFile(
    read,
    'CONSOLE_CLIENT_CA',
    'the authority that issues operators’ certificates and no others, a PEM file: a certificate signs in the operator of its name',
    'no operator signs in by certificate',
  );
  if ((cert === undefined) !== (key === undefined) || (client_ca !== undefined && cert === undefined))
    read.problem('CONSOLE_TLS_CERT and CONSOLE_TLS_KEY must both be set; CONSOLE_CLIENT_CA needs them');
  return cert === undefined || key === undefined ? undefined : { cert, key, client_ca };
}

function readFile(read: EnvReader, name: string, about: string, unset: string): string | undefined {
  const file = read.optionalText(name, { about, unset });
  if (file !== undefined && !existsSync(file)) read.problem(`${name}: there is no file ${file}`);
  return file;
}

function readProxies(read: EnvReader): string[] {
  const text = read.optionalText('CONSOLE_TRUSTED_PROXIES', {
    about:
      'CIDRs or addresses of proxies in front of the console, separated by commas; their `X-Forwarded-For` is read from the right to the first address that is not one of them',
    unset: 'none',
    example: '10.0.0.0/8',
  });
  const proxies = (text ?? '').split(/[\s,]+/).filter((cidr) => cidr !== '');
  for (const cidr of proxies)
    if (parseNetworks([cidr]) === undefined)
      read.problem(`CONSOLE_TRUSTED_PROXIES: ${cidr} is not a CIDR or an IP address`);
  return proxies;
}

function readOperatorHeader(read: EnvReader, proxies: readonly string[]): string | undefined {
  const header = read.optionalText('CONSOLE_OPERATOR_HEADER', {
    about:
      'the header in which a proxy of CONSOLE_TRUSTED_PROXIES names the operator that it has signed in; it must remove the header from clients’ requests',
    unset: 'no operator signs in by header',
    example: 'X-Operator',
  });
  if (header === undefined) return undefined;
  if (!/^[A-Za-z0-9-]{1,64}$/.test(header))
    read.problem('CONSOLE_OPERATOR_HEADER must be the name of a header');
  if (proxies.length === 0) read.problem('CONSOLE_OPERATOR_HEADER needs CONSOLE_TRUSTED_PROXIES');
  return header.toLowerCase();
}

function readLocalOperator(read: EnvReader): Pick<Config, 'local_operator' | 'local_dir'> {
  const data_dir = read.text('DATA_DIR', { about: 'the folder of the stack’s data', default: '.data' });
  return {
    local_operator:
      read.choice('CONSOLE_LOCAL_OPERATOR', {
        about:
          '`yes`: an operator `local` exists; each start writes a one-time link and a token for it to DATA_DIR/console, and the link needs no second factor on this machine until `local` has one. `npm start` sets it',
        choices: ['yes', 'no'],
        default: 'no',
      }) === 'yes',
    local_dir: join(data_dir, 'console'),
  };
}

function readAddresses(read: EnvReader): Addresses {
  return {
    ratelimit: read.address(...addressSetting('ratelimit')),
    auth: read.address(...addressSetting('auth')),
    chat: read.address(...addressSetting('chat')),
    oauth2: read.address(...addressSetting('oauth2')),
    webhook_delivery: read.address(...addressSetting('webhook-delivery')),
    media: read.address(...addressSetting('media')),
    realtime: read.address('REALTIME_PEERS', {
      about: 'replicas of realtime: host:port, or several separated by commas',
      default: defaultAddress('realtime'),
    }),
  };
}
