import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

const SECRET = 's'.repeat(32);
const LEAST = { DATABASE_URL: 'postgres://u:p@db.internal:5432/gatehouse', AUTH_SECRET_KEY: SECRET };

test('only the database and the key are required; the database is the service’s own', () => {
  const { password_concurrency, ...config } = readConfig(LEAST);
  expect(config).toMatchObject({
    listen: '127.0.0.1:8082',
    database_url: 'postgres://u:p@db.internal:5432/gatehouse_auth',
    database_pool_size: 8,
    oauth2_address: '127.0.0.1:8084',
    ratelimit_address: '127.0.0.1:8081',
    media_address: '127.0.0.1:8086',
    drain_delay_ms: 0,
    log_level: 'info',
    secret_keys: [SECRET],
    web_app_url: 'http://127.0.0.1:8080',
    gateway_url: 'ws://127.0.0.1:8080/gateway',
    smtp_url: undefined,
    mail_dir: '.data/mail',
    mail_from: 'Gatehouse <no-reply@localhost>',
    login_location_check: true,
    security_events_days: 90,
    event_retention_minutes: 60,
    session_idle_days: undefined,
    session_max_days: undefined,
    verified_email_only: false,
  });
  expect(password_concurrency).toBeGreaterThanOrEqual(1);
});

test('links and sender derive from the web app, or else from the address of the edge', () => {
  const config = (env: NodeJS.ProcessEnv) => readConfig({ ...LEAST, ...env });
  expect(config({ WEB_APP_URL: 'https://chat.example.com/app/' })).toMatchObject({
    web_app_url: 'https://chat.example.com/app',
    mail_from: 'Gatehouse <no-reply@chat.example.com>',
  });
  expect(config({ HOST: '0.0.0.0', PORT: '9000' })).toMatchObject({
    web_app_url: 'http://127.0.0.1:9000',
    gateway_url: 'ws://127.0.0.1:9000/gateway',
  });
  expect(config({ HOST: '::1' }).web_app_url).toBe('http://[::1]:8080');
});

test('several keys, newest first', () => {
  const older = 'o'.repeat(32);
  expect(readConfig({ ...LEAST, AUTH_SECRET_KEY: `${SECRET},${older}` }).secret_keys).toEqual([
    SECRET,
    older,
  ]);
  const short = () => readConfig({ ...LEAST, AUTH_SECRET_KEY: `${SECRET},short` });
  expect(short).toThrow(/AUTH_SECRET_KEY must be a secret of at least 32 characters/);
});

test.each(['no-reply@example.com', 'Gatehouse <no-reply@example.com>', '"A, B" <a@localhost>'])(
  'mail may be from %s',
  (MAIL_FROM) => {
    expect(readConfig({ ...LEAST, MAIL_FROM }).mail_from).toBe(MAIL_FROM);
  },
);

test.each(['Gatehouse', 'Gatehouse <>', 'no-reply@', 'a@example.com, b@example.com', 'a@b.c\nBcc: d@e.f'])(
  'a sender of %j is refused: its mail would go nowhere, or to others',
  (MAIL_FROM) => {
    expect(() => readConfig({ ...LEAST, MAIL_FROM })).toThrow(/MAIL_FROM must be an e-mail address/);
  },
);

test('sessions expire if configured', () => {
  const read = (env: NodeJS.ProcessEnv) => readConfig({ ...LEAST, ...env });
  const config = { session_idle_days: 30, session_max_days: 365 };
  expect(read({ SESSION_IDLE_DAYS: '30', SESSION_MAX_DAYS: '365' })).toMatchObject(config);
  for (const SESSION_IDLE_DAYS of ['0', '1.5', '3651', '30 days'])
    expect(() => read({ SESSION_IDLE_DAYS })).toThrow(/SESSION_IDLE_DAYS must be a whole number/);
});

test('every problem is reported at once', () => {
  const read = () => readConfig({ LISTEN: 'nowhere', PASSWORD_CONCURRENCY: '0' });
  expect(read).toThrow(/LISTEN.*DATABASE_URL.*PASSWORD_CONCURRENCY.*AUTH_SECRET_KEY/s);
});
