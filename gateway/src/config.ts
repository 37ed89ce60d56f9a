import { type EnvReader, readEnv } from '@gatehouse/kit/env';
import { readTrustedProxies } from '@gatehouse/kit/net/trusted-proxies';
import { webAppUrl } from '@gatehouse/kit/process/base-url';
import { type Branding, readBranding } from '@gatehouse/kit/process/branding';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { CALLS } from '@gatehouse/proto/peers';
import { addressSetting, addressVariable, SERVICES, type ServerName } from '@gatehouse/proto/services';
import { type Bounds, readBounds } from './overload/bounds.ts';
import type { ServiceName } from './service-definitions.ts';

export interface Config extends ProcessConfig {
  readonly host: string;
  readonly port: number;
  readonly trusted_proxies: readonly string[];
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly realtime_address: string;
  readonly gateway_replicas: number;
  readonly ratelimit_timeout_ms: number;
  readonly rate_limits: boolean;
  /** Whether the routes of RFC 6749 answer errors in its form. */
  readonly oauth2_errors: 'off' | 'rfc6749';
  readonly bounds: Bounds;
  /** Undefined: any number. */
  readonly invalid_request_limit: number | undefined;
  readonly web_app_url: string;
  /** Undefined: the edge serves no pages. */
  readonly web_dir: string | undefined;
  readonly branding: Branding;
  /** The folder of mails; undefined unless the suite runs in development. */
  readonly dev_mail_dir: string | undefined;
  readonly status_page: boolean;
}

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const trusted_proxies = readTrustedProxies(read);
    const rate_limits =
      read.choice('RATE_LIMITS', {
        about: '`off`, only with NODE_ENV=development: no limit holds',
        choices: ['on', 'off'],
        default: 'on',
      }) === 'on';
    if (!rate_limits && env.NODE_ENV !== 'development')
      read.problem('RATE_LIMITS may be off only where NODE_ENV is development');
    return {
      host: read.text('HOST', { about: 'the address that the edge listens on', default: '127.0.0.1' }),
      port: read.port('PORT', { about: 'the port of the edge', default: SERVICES.gateway.ports.http }),
      trusted_proxies,
      addresses: Object.fromEntries(
        CALLED.map((name) => [name.replaceAll('-', '_'), read.address(...addressSetting(name))]),
      ) as Record<ServiceName, string>,
      realtime_address: read.address('REALTIME_ADDRESS', {
        about: 'the WebSockets of realtime: host:port, or several separated by commas',
        default: `127.0.0.1:${SERVICES.realtime.ports.websocket}`,
      }),
      gateway_replicas: read.integer('GATEWAY_REPLICAS', {
        about: 'edges that run; while ratelimit is away, each admits its share of a limit',
        min: 1,
        max: 10_000,
        default: 1,
      }),
      ratelimit_timeout_ms: read.integer('RATELIMIT_TIMEOUT_MS', {
        about: 'milliseconds that a request waits for ratelimit; more than its REDIS_TIMEOUT_MS',
        min: 10,
        max: 10_000,
        default: 250,
      }),
      rate_limits,
      oauth2_errors: read.choice('OAUTH2_ERRORS', {
        about:
          '`rfc6749`: errors of the token, introspection and revocation routes have the form of RFC 6749',
        choices: ['off', 'rfc6749'],
        default: 'off',
      }),
      bounds: readBounds(read),
      invalid_request_limit: read.integer('INVALID_REQUEST_LIMIT', INVALID_REQUEST_LIMIT) || undefined,
      web_app_url: webAppUrl(read),
      web_dir: read.optionalText('WEB_DIR', {
        about: 'the folder of the built web app; `npm start` sets it to services/web/dist',
        unset: 'no pages',
      }),
      branding: readBranding(read),
      dev_mail_dir: readDevMailDir(read, env),
      status_page: read.flag('STATUS_PAGE', {
        about: 'whether /status and /status.json show everybody which services answer (docs/web.md#status)',
        default: false,
      }),
      ...readProcessConfig(read, CALLED.map(addressVariable)),
    };
  });
}

function readDevMailDir(read: EnvReader, { NODE_ENV }: NodeJS.ProcessEnv): string | undefined {
  const dev_mail_dir = read.optionalText('DEV_MAIL_DIR', {
    about:
      'the folder of mails that `/dev/mail` shows on this machine; `npm start` sets it in development (docs/web.md#development)',
    unset: 'no pages below `/dev`',
  });
  if (dev_mail_dir !== undefined && NODE_ENV === 'production')
    read.problem('DEV_MAIL_DIR shows the mails of everybody: not with NODE_ENV=production');
  return dev_mail_dir;
}

/** The services that the edge calls, by the manifest. A test compares service-definitions.ts with them. */
const CALLED = [...new Set(CALLS.flatMap(({ from, to }) => (from === 'gateway' ? [to as ServerName] : [])))];

const INVALID_REQUEST_LIMIT = {
  about:
    'answers of 401, 403, 404 (of webhooks’ own paths and invites) and 429 that an address may get in ten minutes',
  min: 0,
  max: 1_000_000,
  default: 0,
  unset: 'any number',
};
