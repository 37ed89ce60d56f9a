import { DATABASE_SERVICES, SERVICE_NAMES } from '@gatehouse/proto/services';
import type { Secrets } from './stack-secrets.ts';

/** The secret settings of each process and server. */
export function settingsOf(secrets: Secrets): { file: string; text: string }[] {
  return [
    ...['operator', ...WITHOUT_SECRETS].map((name) => ({ file: `${name}/secrets.env`, text: '' })),
    { file: 'postgres/password', text: secrets.postgres },
    { file: 'redis/redis.conf', text: `requirepass ${secrets.redis}\n` },
    {
      file: 'migrations/secrets.env',
      text: `ADMIN_DATABASE_URL=postgres://postgres:${secrets.postgres}@postgres:5432/postgres\n`,
    },
    {
      file: 'ratelimit/secrets.env',
      text: `REDIS_URL=redis://:${secrets.redis}@redis:6379\nRATELIMIT_KEY_SECRET=${secrets.ratelimit_key}\n`,
    },
    ...DATABASE_SERVICES.map((name) => ({
      file: `${name}/secrets.env`,
      text: `DATABASE_URL=postgres://gatehouse_${name.replaceAll('-', '_')}:${secrets[name]}@postgres:5432/gatehouse\n${
        name === 'auth' ? `AUTH_SECRET_KEY=${secrets.auth_key}\n` : ''
      }`,
    })),
  ];
}

const WITHOUT_SECRETS = SERVICE_NAMES.filter(
  (name) => name !== 'ratelimit' && !DATABASE_SERVICES.includes(name),
);
