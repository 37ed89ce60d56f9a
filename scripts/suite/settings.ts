import { isIP } from 'node:net';
import { readConfig as readAuthConfig } from '@gatehouse/auth/config';
import { ConfigError, type EnvReader, readEnv } from '@gatehouse/kit/env';
import { readConfig as readRatelimitConfig } from '@gatehouse/ratelimit/config';
import { PROCESSES } from './processes.ts';

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly data_dir: string;
  readonly database_url: string | undefined;
}

/**
 * What `npm start` takes from the environment. The other variables reach the processes as they are;
 * each is looked at here too, so that all that is wrong is said before anything starts.
 *
 * @throws ConfigError naming every problem
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return readEnv(env, (read) => {
    checkShared(read, env);
    return {
      host: address(read),
      port: port(read),
      data_dir: read.text('DATA_DIR', '.data'),
      database_url: read.optionalUrl('DATABASE_URL', ['postgres', 'postgresql']),
    };
  });
}

function checkShared(read: EnvReader, env: NodeJS.ProcessEnv): void {
  read.optionalUrl('WEB_APP_URL', ['http', 'https']);
  read.optionalUrl('SMTP_URL', ['smtp', 'smtps']);
  read.flag('LOGIN_LOCATION_CHECK', true);
  read.choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info');
  read.choice('RPC_TRANSPORT', ['stream', 'unary'], 'stream');
  if (read.choice('RATE_LIMITS', ['on', 'off'], 'on') === 'off' && env.NODE_ENV !== 'development') {
    read.problem('RATE_LIMITS=off is only for development: it needs NODE_ENV=development');
  }
  for (const network of read.text('TRUSTED_PROXIES', '').split(/[\s,]+/)) {
    if (network !== '' && !isNetwork(network)) read.problem(`TRUSTED_PROXIES: ${network} is not a CIDR`);
  }
  const ofRatelimit = /^(?:REDIS_URL|RATELIMIT_[A-Z_]+|METRICS_LISTEN)\b/;
  for (const problem of problemsOf(readRatelimitConfig, env, ofRatelimit)) read.problem(problem);
  const ofAuth = /^(?:AUTH_SECRET_KEY|GATEWAY_URL|MAIL_FROM|SECURITY_EVENTS_DAYS|PASSWORD_CONCURRENCY)\b/;
  for (const problem of problemsOf(readAuthConfig, env, ofAuth)) read.problem(problem);
}

/** What `npm start` makes itself where the environment does not say. */
const MADE = { DATABASE_URL: 'postgresql://embedded', ...each('AUTH_SECRET_KEY', 'RATELIMIT_KEY_SECRET') };

/** Of the settings that one service alone understands. */
function problemsOf(
  readConfig: (env: NodeJS.ProcessEnv) => unknown,
  env: NodeJS.ProcessEnv,
  own: RegExp,
): string[] {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  try {
    readConfig({ ...MADE, ...Object.fromEntries(given) });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.filter((problem) => own.test(problem));
  }
}

function each(...names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, 'made by npm start and long enough']));
}

function address(read: EnvReader): string {
  const host = read.text('HOST', '127.0.0.1');
  if (host !== 'localhost' && isIP(host) === 0) read.problem('HOST must be an IP address or localhost');
  return host;
}

function port(read: EnvReader): number {
  const first = read.port('PORT', 8080);
  const last = first + PROCESSES.length - 1;
  if (last > 65_535) read.problem(`PORT must leave room for the ${PROCESSES.length - 1} ports after it`);
  return first;
}

function isNetwork(text: string): boolean {
  const [ip = '', bits = '0', ...rest] = text.split('/');
  const version = isIP(ip);
  return (
    version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
}
