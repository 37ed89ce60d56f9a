import type { Secrets } from './secrets.ts';

/** The services that have a database, with the role that owns it. */
const DATABASES = {
  auth: 'gatehouse_auth',
  chat: 'gatehouse_chat',
  oauth2: 'gatehouse_oauth2',
  'webhook-delivery': 'gatehouse_webhook_delivery',
  media: 'gatehouse_media',
} as const;

/** Each process's secret settings, and the servers' own. */
export function settingsOf(secrets: Secrets): { file: string; text: string }[] {
  return [
    { file: 'gateway/secrets.env', text: '' },
    { file: 'realtime/secrets.env', text: '' },
    { file: 'operator/secrets.env', text: '' },
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
    ...(Object.keys(DATABASES) as (keyof typeof DATABASES)[]).map((name) => ({
      file: `${name}/secrets.env`,
      text: `DATABASE_URL=postgres://${DATABASES[name]}:${secrets[name]}@postgres:5432/gatehouse\n${
        name === 'auth' ? `AUTH_SECRET_KEY=${secrets.auth_key}\n` : ''
      }`,
    })),
  ];
}
