import { DATABASE_SERVICES, ownVariable, SERVICE_NAMES, type ServiceName } from '@gatehouse/proto/services';
import { RUNNER } from './process-folders.ts';
import type { Secrets } from './stack-secrets.ts';

interface SettingsFile {
  readonly file: string;
  readonly text: string;
}

/** The secret settings of each process and server. */
export function settingsOf(secrets: Secrets, isShared: boolean): SettingsFile[] {
  return [
    { file: 'operator/secrets.env', text: '' },
    { file: 'postgres/password', text: secrets.postgres },
    { file: 'redis/redis.conf', text: `requirepass ${secrets.redis}\n` },
    {
      file: 'migrations/secrets.env',
      text: `ADMIN_DATABASE_URL=postgres://postgres:${secrets.postgres}@postgres:5432/postgres\n`,
    },
    ...(isShared ? [ofRunner(secrets)] : SERVICE_NAMES.map((name) => ofService(name, secrets))),
  ];
}

function ofService(name: ServiceName, secrets: Secrets): SettingsFile {
  return { file: `${name}/secrets.env`, text: linesOf(Object.entries(secretsOf(name, secrets))) };
}

/** Each service has its own DATABASE_URL. All other variables have one reader. */
function ofRunner(secrets: Secrets): SettingsFile {
  const entries = SERVICE_NAMES.flatMap((name) =>
    Object.entries(secretsOf(name, secrets)).map(
      ([variable, value]) =>
        [variable === 'DATABASE_URL' ? ownVariable(name, variable) : variable, value] as const,
    ),
  );
  return { file: `${RUNNER}/secrets.env`, text: linesOf(entries) };
}

function secretsOf(name: ServiceName, secrets: Secrets): Readonly<Record<string, string>> {
  return {
    ...(DATABASE_SERVICES.includes(name) && {
      DATABASE_URL: `postgres://gatehouse_${name.replaceAll('-', '_')}:${secrets[name]}@postgres:5432/gatehouse`,
    }),
    ...(name === 'auth' && { AUTH_SECRET_KEY: secrets.auth_key }),
    ...(name === 'console' && { CONSOLE_SECRET_KEY: secrets.console_key }),
    ...(name === 'ratelimit' && {
      REDIS_URL: `redis://:${secrets.redis}@redis:6379`,
      RATELIMIT_KEY_SECRET: secrets.ratelimit_key,
    }),
  };
}

function linesOf(variables: readonly (readonly [name: string, value: string])[]): string {
  return variables.map(([name, value]) => `${name}=${value}\n`).join('');
}
