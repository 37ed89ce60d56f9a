import { describe, expect, test } from 'vitest';
import { parseRedisUrl } from '../../src/redis/redis-url.ts';

const PLAIN = {
  layout: 'single',
  name: '',
  db: 0,
  username: undefined,
  password: undefined,
  sentinel_password: undefined,
  tls: undefined,
};

describe('REDIS_URL', () => {
  test.each([
    ['redis://cache', { ...PLAIN, hosts: [{ host: 'cache', port: 6379 }] }],
    ['redis://[::1]:7000/3', { ...PLAIN, hosts: [{ host: '::1', port: 7000 }], db: 3 }],
    [
      'rediss://:p%40ss%3Aword@cache:6380/',
      { ...PLAIN, hosts: [{ host: 'cache', port: 6380 }], password: 'p@ss:word', tls: {} },
    ],
    [
      'redis+sentinel://user:pw@one,two:26380/buckets/2?sentinel_password=other',
      {
        ...PLAIN,
        layout: 'sentinel',
        hosts: [
          { host: 'one', port: 26379 },
          { host: 'two', port: 26380 },
        ],
        name: 'buckets',
        db: 2,
        username: 'user',
        password: 'pw',
        sentinel_password: 'other',
      },
    ],
    [
      'rediss+cluster://one:7000,two',
      {
        ...PLAIN,
        layout: 'cluster',
        hosts: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 6379 },
        ],
        tls: {},
      },
    ],
  ])('%s', (url, target) => {
    expect(parseRedisUrl(url)).toEqual(target);
  });

  test.each([
    ['http://cache', 'must be redis://host:port'],
    ['cache:6379', 'must be redis://host:port'],
    ['redis://one,two', 'use redis+sentinel:// or redis+cluster://'],
    ['redis://cache:0', 'a host must be host:port'],
    ['redis://cache:99999', 'a host must be host:port'],
    ['redis://:secret@', 'must be redis://host:port'],
    ['redis://:secret@cache/one', 'the database must be a number'],
    ['redis://:secret@cache/0/1', 'the database must be a number'],
    ['redis://secret@cache', 'credentials are user:password@'],
    ['redis://:secret%@cache', 'has an invalid % escape'],
    ['redis+sentinel://:secret@one', 'the name that the Sentinels know'],
    ['redis+cluster://:secret@one/1', 'database 0 only'],
    ['redis://:secret@cache?db=1', 'unknown parameter db'],
    ['redis://:secret@cache?ca_file=x', 'for rediss only'],
    ['rediss://:secret@cache?ca_file=/nowhere', 'cannot be read'],
  ])('%s is refused, without its password', (url, reason) => {
    expect(() => parseRedisUrl(url)).toThrow(reason);
    expect(() => parseRedisUrl(url)).not.toThrow(/secret/);
  });
});
