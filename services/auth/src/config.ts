import { availableParallelism } from 'node:os';
import { type DatabaseConfig, readDatabaseConfig } from '@gatehouse/kit/db/database-config';
import { type EnvReader, readEnv } from '@gatehouse/kit/env';
import { readEventRetention } from '@gatehouse/kit/event-log/event-retention';
import { type Branding, readBranding } from '@gatehouse/kit/process/branding';
import { edgeAddress, readGatewayUrl } from '@gatehouse/kit/process/edge-address';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { addressSetting, listenSetting, SERVICES } from '@gatehouse/proto/services';
import { readEmailKey } from './accounts/registration.ts';

export interface Config extends ProcessConfig, DatabaseConfig {
  readonly listen: string;
  readonly oauth2_address: string;
  readonly ratelimit_address: string;
  readonly media_address: string;
  readonly chat_address: string;
  readonly webhook_delivery_address: string;
  readonly password_concurrency: number;
  /** The first encrypts, all decrypt. */
  readonly secret_keys: readonly string[];
  /** Without a trailing slash. */
  readonly web_app_url: string;
  readonly gateway_url: string;
  /** Without it, mails are written to files in `mail_dir`. */
  readonly smtp_url: string | undefined;
  readonly mail_dir: string;
  readonly mail_from: string;
  readonly branding: Branding;
  readonly login_location_check: boolean;
  readonly security_events_days: number;
  readonly event_retention_minutes: number;
  /** Undefined: an unused session does not end. */
  readonly session_idle_days: number | undefined;
  /** Undefined: a session in use does not end. */
  readonly session_max_days: number | undefined;
  readonly verified_email_only: boolean;
}

const SECRET_KEY_MIN = 32;

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const web_app_url = readWebAppUrl(read);
    return {
      listen: read.listenAddress(...listenSetting('auth')),
      ...readDatabaseConfig(read, 'auth', SERVICES.auth.database),
      oauth2_address: read.address(...addressSetting('oauth2')),
      ratelimit_address: read.address(...addressSetting('ratelimit')),
      media_address: read.address(...addressSetting('media')),
      chat_address: read.address(...addressSetting('chat')),
      webhook_delivery_address: read.address(...addressSetting('webhook-delivery')),
      password_concurrency: read.integer('PASSWORD_CONCURRENCY', {
        about: 'maximum passwords hashed at once; each takes a core and 19 MiB for about 25 ms',
        min: 1,
        max: 16,
        default: Math.min(Math.max(availableParallelism() - 1, 1), 16),
        unset: 'all cores but one',
      }),
      secret_keys: secretKeys(read),
      web_app_url,
      gateway_url: readGatewayUrl(read),
      ...readMailConfig(read, web_app_url),
      ...readRetention(read),
      login_location_check: read.flag('LOGIN_LOCATION_CHECK', {
        about: 'whether a login from a new location is held until a link in a mail is opened',
        default: true,
      }),
      verified_email_only: read.flag('OAUTH2_VERIFIED_EMAIL_ONLY', {
        about:
          'whether applications see an e-mail address only once it is verified (docs/oauth2.md#verified-email)',
        default: false,
      }),
      ...readProcessConfig(read, [
        'LISTEN',
        'OAUTH2_ADDRESS',
        'RATELIMIT_ADDRESS',
        'MEDIA_ADDRESS',
        'CHAT_ADDRESS',
        'WEBHOOK_DELIVERY_ADDRESS',
      ]),
    };
  });
}

function readWebAppUrl(read: EnvReader): string {
  const url = read.url('WEB_APP_URL', {
    about: 'the web app: the base of links in mail, and passkeys’ relying party',
    protocols: ['http', 'https'],
    default: `http://${edgeAddress(read)}`,
    unset: 'the edge, at HOST and PORT',
    example: 'https://chat.example.com',
  });
  return url.replace(/\/+$/, '');
}

function readMailConfig(
  read: EnvReader,
  web_app_url: string,
): Pick<Config, 'smtp_url' | 'mail_dir' | 'mail_from' | 'branding'> {
  const branding = readBranding(read);
  const data_dir = read.text('DATA_DIR', { about: 'the folder of the stack’s data', default: '.data' });
  return {
    smtp_url: read.optionalUrl('SMTP_URL', {
      about:
        'the mail server, with login: smtp:// or smtps://; `?requireTLS=true` refuses a server without STARTTLS',
      protocols: ['smtp', 'smtps'],
      unset: 'files in DATA_DIR/mail',
      example: 'smtps://user:password@mail.example.com',
    }),
    mail_dir: `${data_dir}/mail`,
    mail_from: mailFrom(read, web_app_url, branding),
    branding,
  };
}

function readRetention(
  read: EnvReader,
): Pick<
  Config,
  'security_events_days' | 'event_retention_minutes' | 'session_idle_days' | 'session_max_days'
> {
  return {
    security_events_days: read.integer('SECURITY_EVENTS_DAYS', {
      about: 'days for which the audit log of security events is kept',
      min: 1,
      max: 3650,
      default: 90,
    }),
    event_retention_minutes: readEventRetention(read),
    session_idle_days: read.optionalInteger('SESSION_IDLE_DAYS', {
      about: 'days after which an unused session ends',
      min: 1,
      max: 3650,
      unset: 'never',
    }),
    session_max_days: read.optionalInteger('SESSION_MAX_DAYS', {
      about: 'days after which every session ends',
      min: 1,
      max: 3650,
      unset: 'never',
    }),
  };
}

function secretKeys(read: EnvReader): string[] {
  const text = read.text('AUTH_SECRET_KEY', {
    about:
      'the key of stored secrets that must be readable again, the same for all replicas: at least 32 characters; of several keys, separated by commas, the first encrypts and all decrypt',
    example: 'a-random-secret-of-32-characters-or-more',
  });
  const keys = text.split(',');
  if (text !== '' && keys.some((key) => key.length < SECRET_KEY_MIN))
    read.problem(
      `AUTH_SECRET_KEY must be a secret of at least ${SECRET_KEY_MIN} characters, or several separated by commas`,
    );
  return keys;
}

/** An address, or a name and an address (RFC 5322 §3.4). */
function mailFrom(read: EnvReader, web_app_url: string, { product_name }: Branding): string {
  const text = read.text('MAIL_FROM', {
    about: 'the sender of mail: name@host, or Name <name@host>',
    default: `${senderName(product_name)} <no-reply@${mailDomain(web_app_url)}>`,
    unset: 'PRODUCT_NAME, no-reply at the host of WEB_APP_URL',
    example: 'Gatehouse <no-reply@chat.example.com>',
  });
  if (readEmailKey(/<(.*)>$/.exec(text)?.[1] ?? text) === undefined)
    read.problem('MAIL_FROM must be an e-mail address, or a name and <an e-mail address>');
  return text;
}

/** Quoted where RFC 5322 §3.2.4 requires it. PRODUCT_NAME has no quotes. */
function senderName(product_name: string): string {
  return /^[A-Za-z0-9 _-]+$/.test(product_name) ? product_name : `"${product_name.replaceAll('\\', '')}"`;
}

/** The web app's host, or `localhost` for an IP address, which is no mail domain. */
function mailDomain(web_app_url: string): string {
  const hostname = URL.parse(web_app_url)?.hostname ?? '';
  return /^[a-z0-9.-]*[a-z][a-z0-9-]*$/i.test(hostname) ? hostname : 'localhost';
}
