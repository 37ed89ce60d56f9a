import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig as readAuthConfig } from '@gatehouse/auth/config';
import { readConfig as readChatConfig } from '@gatehouse/chat/config';
import { readConfig as readGatewayConfig } from '@gatehouse/gateway/config';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { readConfig as readMediaConfig } from '@gatehouse/media/config';
import { readConfig as readOauth2Config } from '@gatehouse/oauth2/config';
import { readConfig as readRatelimitConfig } from '@gatehouse/ratelimit/config';
import { readConfig as readRealtimeConfig } from '@gatehouse/realtime/config';
import { readConfig as readWebhookDeliveryConfig } from '@gatehouse/webhook-delivery/config';
import { callersOf } from './callers.ts';

/** One process of the suite. */
export interface ProcessRow {
  readonly name: string;
  /** What runs, from the clone's root. */
  readonly entry: string;
  /** What it makes of its environment. @throws ConfigError naming every problem */
  readonly readConfig: (env: NodeJS.ProcessEnv) => unknown;
  /** The variable by which the others are told where it listens; the edge has none. */
  readonly address_variable?: string;
  /** Whether it keeps anything in a database. */
  readonly has_database?: boolean;
  /** Of its heap beyond the youngest objects; 256 unless given. */
  readonly max_heap_mib?: number;
  /** Settings that are nobody else's business. */
  readonly secrets?: readonly string[];
}

/** In the order of their ports: the edge at PORT, the others at PORT+1 and on, and behind them all realtime's WebSockets. */
export const PROCESSES: readonly ProcessRow[] = [
  // What clients may hold besides comes to as much again.
  { name: 'gateway', entry: 'gateway/src/main.ts', readConfig: readGatewayConfig, max_heap_mib: 192 },
  {
    name: 'ratelimit',
    entry: 'services/ratelimit/src/main.ts',
    readConfig: readRatelimitConfig,
    address_variable: 'RATELIMIT_ADDRESS',
    secrets: ['REDIS_URL', 'RATELIMIT_KEY_SECRET'],
  },
  {
    name: 'auth',
    entry: 'services/auth/src/main.ts',
    readConfig: readAuthConfig,
    address_variable: 'AUTH_ADDRESS',
    has_database: true,
    secrets: ['AUTH_SECRET_KEY', 'SMTP_URL'],
  },
  {
    name: 'chat',
    entry: 'services/chat/src/main.ts',
    readConfig: readChatConfig,
    address_variable: 'CHAT_ADDRESS',
    has_database: true,
  },
  {
    name: 'oauth2',
    entry: 'services/oauth2/src/main.ts',
    readConfig: readOauth2Config,
    address_variable: 'OAUTH2_ADDRESS',
    has_database: true,
  },
  {
    name: 'webhook-delivery',
    entry: 'services/webhook-delivery/src/main.ts',
    readConfig: readWebhookDeliveryConfig,
    address_variable: 'WEBHOOK_DELIVERY_ADDRESS',
    has_database: true,
  },
  {
    name: 'media',
    entry: 'services/media/src/main.ts',
    readConfig: readMediaConfig,
    address_variable: 'MEDIA_ADDRESS',
    has_database: true,
  },
  {
    name: 'realtime',
    entry: 'services/realtime/src/main.ts',
    readConfig: readRealtimeConfig,
    // The other replicas of realtime; the edge is told where its WebSockets are.
    address_variable: 'REALTIME_PEERS',
    max_heap_mib: 768,
  },
];

/** A port of each process, and that of the WebSockets. */
export const PORT_COUNT = PROCESSES.length + 1;

export const LAST_PORT = 65_535;
/** Built by `npm run generate`. */
const WEB_DIR = fileURLToPath(new URL('../../services/web/dist', import.meta.url));

export interface Surroundings {
  /** Where the edge listens. */
  readonly host: string;
  readonly ports: readonly number[];
  readonly data_dir: string;
  /** The server, as each process that has a database logs in there; by its name. */
  readonly database_urls: Readonly<Record<string, string>>;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Each process's environment: the suite's own, where everybody listens, its way to its database, where it shows
 * metrics, if any are wanted (the edge at METRICS_LISTEN, the others at the ports that follow), and its own certificate
 * of RPC_TLS_DIR. Only the edge and realtime have a drain delay: whoever calls the others has ended when those are stopped.
 */
export function environments({
  host,
  ports,
  data_dir,
  database_urls,
  env,
}: Surroundings): NodeJS.ProcessEnv[] {
  const addressOf = (index: number) => `127.0.0.1:${ports[index]}`;
  const addresses = PROCESSES.flatMap(({ address_variable }, index) =>
    address_variable === undefined ? [] : [[address_variable, addressOf(index)]],
  );
  return PROCESSES.map((row, index) => ({
    ...without(env, new Set([...secretsOfOthers(row), 'DATABASE_URL'])),
    ...Object.fromEntries(addresses),
    REALTIME_ADDRESS: addressOf(PROCESSES.length),
    WEB_DIR: env.WEB_DIR || WEB_DIR,
    HOST: host,
    PORT: String(ports[0]),
    LISTEN: addressOf(index),
    ...(callersOf(row.name).length > 0 && { DRAIN_DELAY_SECONDS: '0' }),
    ...(row.name === 'realtime' && ofRealtime(addressOf(PROCESSES.length), env)),
    ...metricsAddress(env.METRICS_LISTEN, index),
    ...certificateVariables(env.RPC_TLS_DIR, row.name),
    ...(row.has_database && { DATABASE_URL: database_urls[row.name] }),
    DATA_DIR: data_dir,
  }));
}

/** Its clients come through the edge, which is on this machine and names them. */
function ofRealtime(gateway_listen: string, { TRUSTED_PROXIES }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const trusted = TRUSTED_PROXIES ? `${TRUSTED_PROXIES},127.0.0.1` : '127.0.0.1';
  return { GATEWAY_LISTEN: gateway_listen, TRUSTED_PROXIES: trusted };
}

function secretsOfOthers(row: ProcessRow): Set<string> {
  return new Set(PROCESSES.filter((other) => other !== row).flatMap(({ secrets = [] }) => secrets));
}

function without(env: NodeJS.ProcessEnv, names: ReadonlySet<string>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}

function certificateVariables(folder: string | undefined, name: string): NodeJS.ProcessEnv {
  if (!folder) return {};
  const { cert, key, ca } = certificateFilesIn(resolve(folder), name);
  return { RPC_TLS_CERT: cert, RPC_TLS_KEY: key, RPC_TLS_CA: ca };
}

function metricsAddress(first: string | undefined, index: number): { METRICS_LISTEN?: string } {
  const [, host, port] = /^(.+):([1-9][0-9]*)$/.exec(first ?? '') ?? [];
  const own = Number(port) + index;
  // settings.ts says which addresses leave too little room.
  return host === undefined || own > LAST_PORT ? {} : { METRICS_LISTEN: `${host}:${own}` };
}
