import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://gatehouse@127.0.0.1:5432/gatehouse',
  CONSOLE_SECRET_KEY: 'a secret key that is only for tests',
};
const OPEN = { ...REQUIRED, CONSOLE_LISTEN: '0.0.0.0:8090' };

it('only the database and the key are required, and the console listens on loopback', () => {
  expect(readConfig(REQUIRED)).toMatchObject({
    listen: '127.0.0.1:8089',
    http_listen: '127.0.0.1:8090',
    url: undefined,
    tls: undefined,
    operator_header: undefined,
    local_operator: false,
  });
});

describe('a listener beyond loopback', () => {
  it('needs TLS, a proxy, or a word that it may do without', () => {
    expect(() => readConfig(OPEN)).toThrow('CONSOLE_LISTEN is beyond loopback without TLS');
    expect(readConfig({ ...OPEN, CONSOLE_INSECURE: 'yes' }).http_listen).toBe('0.0.0.0:8090');
    expect(readConfig({ ...OPEN, CONSOLE_TRUSTED_PROXIES: '10.0.0.0/8' }).trusted_proxies).toEqual([
      '10.0.0.0/8',
    ]);
    const file = import.meta.filename;
    expect(readConfig({ ...OPEN, CONSOLE_TLS_CERT: file, CONSOLE_TLS_KEY: file }).tls).toEqual({
      cert: file,
      key: file,
      client_ca: undefined,
    });
  });
});

it('every problem is reported at once', () => {
  const env = {
    LISTEN: 'nowhere',
    DATABASE_URL: 'mysql://x',
    CONSOLE_LISTEN: 'x',
    CONSOLE_URL: 'https://console.example.com/path',
    CONSOLE_SECRET_KEY: 'short',
    CONSOLE_TLS_CERT: '/no/such/file',
    CONSOLE_TRUSTED_PROXIES: '10.0.0.0/99',
    CONSOLE_OPERATOR_HEADER: 'X Operator',
    CONSOLE_LOCAL_OPERATOR: 'maybe',
  };
  const problems = (() => {
    try {
      readConfig(env);
      return '';
    } catch (error) {
      return String(error);
    }
  })();
  for (const name of Object.keys(env)) expect(problems).toContain(name);
});
