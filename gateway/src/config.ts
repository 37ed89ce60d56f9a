import { readEnv } from '@gatehouse/kit/env';
import { parseNetworks } from '@gatehouse/kit/net/client-ip';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { type Bounds, readBounds } from './overload/bounds.ts';
import type { ServiceName } from './service-definitions.ts';

export interface Config extends ProcessConfig {
  readonly host: string;
  readonly port: number;
  /** CIDRs of the proxies whose X-Forwarded-For is believed. */
  readonly trusted_proxies: readonly string[];
  /** host:port of each service, several separated by commas. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  /** host:port of realtime's WebSockets, several separated by commas. */
  readonly realtime_address: string;
  /** Edges that run: each admits its share of every limit while ratelimit does not answer. */
  readonly gateway_replicas: number;
  /** How long ratelimit may take for an answer. Then this process decides. */
  readonly ratelimit_timeout_ms: number;
  /** False: what is decided without ratelimit passes. Only a local development build may say so. */
  readonly rate_limits: boolean;
  readonly bounds: Bounds;
  /**
   * How many answers of 401, 403, 404 (on webhooks' own paths) and 429 an address may have in ten minutes;
   * undefined: any number.
   */
  readonly invalid_request_limit: number | undefined;
  /** The folder of the built web app; undefined: the edge serves none. */
  readonly web_dir: string | undefined;
}

const DEFAULT_PORTS: Readonly<Record<ServiceName, number>> = {
  ratelimit: 8081,
  auth: 8082,
  chat: 8083,
  oauth2: 8084,
  webhook_delivery: 8085,
  media: 8086,
};

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const proxies = read
      .text('TRUSTED_PROXIES', '')
      .split(/[\s,]+/)
      .filter((cidr) => cidr !== '');
    for (const cidr of proxies) {
      if (parseNetworks([cidr]) === undefined)
        read.problem(`TRUSTED_PROXIES: ${cidr} is not a CIDR or an IP address`);
    }
    const rate_limits = read.choice('RATE_LIMITS', ['on', 'off'], 'on') === 'on';
    if (!rate_limits && env.NODE_ENV !== 'development')
      read.problem('RATE_LIMITS may be off only where NODE_ENV is development');
    return {
      host: read.text('HOST', '127.0.0.1'),
      port: read.port('PORT', 8080),
      trusted_proxies: proxies,
      addresses: mapServices((name) =>
        read.address(addressVariable(name), `127.0.0.1:${DEFAULT_PORTS[name]}`),
      ),
      realtime_address: read.address('REALTIME_ADDRESS', '127.0.0.1:8088'),
      gateway_replicas: read.integer('GATEWAY_REPLICAS', { min: 1, max: 10_000, default: 1 }),
      ratelimit_timeout_ms: read.integer('RATELIMIT_TIMEOUT_MS', { min: 10, max: 10_000, default: 250 }),
      rate_limits,
      bounds: readBounds(read),
      invalid_request_limit:
        read.integer('INVALID_REQUEST_LIMIT', { min: 0, max: 1_000_000, default: 0 }) || undefined,
      web_dir: read.text('WEB_DIR', '') || undefined,
      ...readProcessConfig(read, NAMES.map(addressVariable)),
    };
  });
}

const NAMES = Object.keys(DEFAULT_PORTS) as ServiceName[];
const addressVariable = (name: ServiceName): string => `${name.toUpperCase()}_ADDRESS`;

function mapServices<T>(value: (name: ServiceName) => T): Record<ServiceName, T> {
  return Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<ServiceName, T>;
}
