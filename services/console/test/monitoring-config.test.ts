import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://gatehouse@127.0.0.1:5432/gatehouse',
  CONSOLE_SECRET_KEY: 'a secret key that is only for tests',
};

const read = (env: Record<string, string>) => readConfig({ ...REQUIRED, ...env });

it('by default nothing is monitored', () => {
  const nothing = { metrics: [], prometheus_url: undefined, log_dir: undefined, log_url: undefined };
  expect(read({})).toMatchObject(nothing);
  const names = ['CONSOLE_METRICS', 'PROMETHEUS_URL', 'CONSOLE_LOG_DIR', 'CONSOLE_LOG_URL'];
  expect(read(Object.fromEntries(names.map((name) => [name, ''])))).toMatchObject(nothing);
});

it('the metrics of processes are read, with names, IPv6 addresses and spaces', () => {
  const CONSOLE_METRICS =
    ' gateway=gateway:9464, webhook-delivery=127.0.0.1:1\n,auth=[::1]:65535,,auth=[::2]:9464 ';
  expect(read({ CONSOLE_METRICS }).metrics).toEqual([
    { service: 'gateway', address: 'gateway:9464' },
    { service: 'webhook-delivery', address: '127.0.0.1:1' },
    { service: 'auth', address: '[::1]:65535' },
    { service: 'auth', address: '[::2]:9464' },
  ]);
});

describe('a wrong value is refused at start by the name of its setting', () => {
  it.each([
    ['CONSOLE_METRICS', 'gateway'],
    ['CONSOLE_METRICS', '127.0.0.1:9464'],
    ['CONSOLE_METRICS', 'gateway='],
    ['CONSOLE_METRICS', 'gateway=127.0.0.1'],
    ['CONSOLE_METRICS', 'gateway=:9464'],
    ['CONSOLE_METRICS', 'gateway=127.0.0.1:0'],
    ['CONSOLE_METRICS', 'gateway=127.0.0.1:65536'],
    ['CONSOLE_METRICS', 'gateway=127.0.0.1:99999'],
    ['CONSOLE_METRICS', 'gateway=http://127.0.0.1:9464'],
    ['CONSOLE_METRICS', 'gateway=127.0.0.1:9464/metrics'],
    ['CONSOLE_METRICS', 'gateway=user@127.0.0.1:9464'],
    ['CONSOLE_METRICS', 'gateway=127.0.0.1/x?:9464'],
    ['CONSOLE_METRICS', 'gateway=::1:9464'],
    ['CONSOLE_METRICS', 'nobody=127.0.0.1:9464'],
    ['CONSOLE_METRICS', '__proto__=127.0.0.1:9464'],
    ['CONSOLE_METRICS', 'gateway=127.0.0.1:9464;auth=127.0.0.1:9466'],
    ['PROMETHEUS_URL', 'prometheus:9090'],
    ['PROMETHEUS_URL', 'ftp://prometheus'],
    ['PROMETHEUS_URL', 'file:///etc/passwd'],
    ['PROMETHEUS_URL', 'http://'],
    ['PROMETHEUS_URL', 'http://prometheus:99999'],
    ['PROMETHEUS_URL', 'http://100%@prometheus:9090'],
    ['CONSOLE_LOG_DIR', import.meta.filename],
    ['CONSOLE_LOG_URL', 'https://logs.example.com/search'],
    ['CONSOLE_LOG_URL', 'javascript:alert({request_id})'],
    ['CONSOLE_LOG_URL', 'logs.example.com/{request_id}'],
    ['CONSOLE_LOG_URL', '/{request_id}'],
    ['CONSOLE_LOG_URL', 'https://{request_id}.example.com/'],
    ['CONSOLE_LOG_URL', 'https://{request_id}@example.com/'],
    ['CONSOLE_LOG_URL', 'https://logs.example.com/{REQUEST_ID}'],
  ])('%s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`- ${name}`);
  });

  it('all at once, and each target of CONSOLE_METRICS', () => {
    const read_all = () =>
      read({ CONSOLE_METRICS: 'a=1,auth=auth:9464,b', PROMETHEUS_URL: 'x', CONSOLE_LOG_URL: 'y' });
    for (const text of [
      'CONSOLE_METRICS: a=1 is',
      'CONSOLE_METRICS: b is',
      'PROMETHEUS_URL',
      'CONSOLE_LOG_URL',
    ])
      expect(read_all).toThrow(text);
    expect(read_all).not.toThrow('auth:9464');
  });
});

it.each([
  'https://logs.example.com/search?q={request_id}',
  'http://127.0.0.1:5601/#/{request_id}?again={request_id}',
  'https://user@logs.example.com?{request_id}',
])('the log system may be at %s', (CONSOLE_LOG_URL) => {
  expect(read({ CONSOLE_LOG_URL }).log_url).toBe(CONSOLE_LOG_URL);
});

it('a folder of logs may be made later', () => {
  expect(read({ CONSOLE_LOG_DIR: '/no/such/folder' }).log_dir).toBe('/no/such/folder');
});
