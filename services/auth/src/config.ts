import { availableParallelism } from 'node:os';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { type EnvReader, readEnv } from '@gatehouse/kit/env';
import { edgeAddress } from '@gatehouse/kit/process/edge-address';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { readEmailKey } from './accounts/registration.ts';

export interface Config extends ProcessConfig {
  /** host:port. */
  readonly listen: string;
  /** This service's own database. */
  readonly database_url: string;
  readonly database_pool_size: number;
  /** The address of oauth2: host:port, or several separated by commas. */
  readonly oauth2_address: string;
  /** The address of ratelimit: host:port, or several separated by commas. */
  readonly ratelimit_address: string;
  /** Where media listens: host:port, or several separated by commas. */
  readonly media_address: string;
  /** How many passwords are hashed at once. Each takes a core and 19 MiB for about 25 ms. */
  readonly password_concurrency: number;
  /** Keys for secrets that must be readable again: the first encrypts, all of them decrypt. */
  readonly secret_keys: readonly string[];
  /** Without a trailing slash. */
  readonly web_app_url: string;
  /** The URL of the real-time Gateway, for bots. */
  readonly gateway_url: string;
  /** Undefined: mails are written to files in `mail_dir`. */
  readonly smtp_url: string | undefined;
  readonly mail_dir: string;
  readonly mail_from: string;
  /** Whether logins from new locations are held. */
  readonly login_location_check: boolean;
  /** How long the audit log is kept. */
  readonly security_events_days: number;
  /** How long events stay in the log for their readers. */
  readonly event_retention_minutes: number;
  /** An unused session ends after so many days; undefined: never. */
  readonly session_idle_days: number | undefined;
  /** Every session ends after so many days; undefined: never. */
  readonly session_max_days: number | undefined;
  /** Whether access tokens are shown no address that is not verified (docs/oauth2.md#verified-email). */
  readonly verified_email_only: boolean;
}

const SECRET_KEY_MIN = 32;

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { server_url, ...config } = readEnv(env, (read) => {
    const own = edgeAddress(read);
    const web_app_url = read.url('WEB_APP_URL', ['http', 'https'], `http://${own}`).replace(/\/+$/, '');
    return {
      listen: read.listenAddress('LISTEN', '127.0.0.1:8082'),
      server_url: read.url('DATABASE_URL', ['postgres', 'postgresql']),
      database_pool_size: read.integer('DATABASE_POOL_SIZE', { min: 3, max: 100, default: 8 }),
      oauth2_address: read.address('OAUTH2_ADDRESS', '127.0.0.1:8084'),
      ratelimit_address: read.address('RATELIMIT_ADDRESS', '127.0.0.1:8081'),
      media_address: read.address('MEDIA_ADDRESS', '127.0.0.1:8086'),
      password_concurrency: read.integer('PASSWORD_CONCURRENCY', {
        min: 1,
        max: 16,
        default: Math.min(Math.max(availableParallelism() - 1, 1), 16),
      }),
      secret_keys: secretKeys(read),
      web_app_url,
      gateway_url: read.url('GATEWAY_URL', ['ws', 'wss'], `ws://${own}/gateway`),
      smtp_url: read.optionalUrl('SMTP_URL', ['smtp', 'smtps']),
      mail_dir: `${read.text('DATA_DIR', '.data')}/mail`,
      mail_from: mailFrom(read, web_app_url),
      login_location_check: read.flag('LOGIN_LOCATION_CHECK', true),
      security_events_days: read.integer('SECURITY_EVENTS_DAYS', { min: 1, max: 3650, default: 90 }),
      event_retention_minutes: read.integer('EVENT_RETENTION_MINUTES', { min: 1, max: 10_080, default: 60 }),
      session_idle_days: read.optionalInteger('SESSION_IDLE_DAYS', { min: 1, max: 3650 }),
      session_max_days: read.optionalInteger('SESSION_MAX_DAYS', { min: 1, max: 3650 }),
      verified_email_only: read.flag('OAUTH2_VERIFIED_EMAIL_ONLY', false),
      ...readProcessConfig(read, ['LISTEN', 'OAUTH2_ADDRESS', 'RATELIMIT_ADDRESS', 'MEDIA_ADDRESS']),
    };
  });
  return { ...config, database_url: databaseUrl(server_url, 'auth') };
}

function secretKeys(read: EnvReader): string[] {
  const text = read.text('AUTH_SECRET_KEY');
  const keys = text.split(',');
  if (text !== '' && keys.some((key) => key.length < SECRET_KEY_MIN))
    read.problem(
      `AUTH_SECRET_KEY must be a secret of at least ${SECRET_KEY_MIN} characters, or several separated by commas`,
    );
  return keys;
}

/** An address, or a name and an address (RFC 5322 §3.4). */
function mailFrom(read: EnvReader, web_app_url: string): string {
  const text = read.text('MAIL_FROM', `Gatehouse <no-reply@${mailDomain(web_app_url)}>`);
  if (readEmailKey(/<(.*)>$/.exec(text)?.[1] ?? text) === undefined)
    read.problem('MAIL_FROM must be an e-mail address, or a name and <an e-mail address>');
  return text;
}

/** The web app's host. An IP address is no mail domain: `localhost` instead. */
function mailDomain(web_app_url: string): string {
  const hostname = URL.parse(web_app_url)?.hostname ?? '';
  return /^[a-z0-9.-]*[a-z][a-z0-9-]*$/i.test(hostname) ? hostname : 'localhost';
}
