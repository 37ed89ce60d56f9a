import { steppedClock } from '@gatehouse/dev-env/processes/stepped-clock';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../support/run-doctor.ts';

const noRedis = noRedisProgram();

describe.skipIf(noRedis)('REDIS_URL', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await redisServer();
  });
  afterAll(() => redis.close());
  const doctor = (url = redis.url) => runDoctor('redis', { REDIS_URL: url });
  const problems = async (url?: string) => {
    const found = await doctor(url);
    return found.filter(({ status }) => status === 'problem');
  };

  test('of a server without persistence is a warning', async () => {
    expect(await doctor()).toMatchObject([
      { subject: 'version', status: 'ok' },
      { subject: 'rights', status: 'ok' },
      { subject: 'maxmemory-policy', status: 'ok', text: 'no limit of memory' },
      { subject: 'persistence', status: 'warning', text: expect.stringMatching(/^off/) },
    ]);
    await redis.client.config('SET', 'save', '3600 1');
    onTestFinished(async () => void (await redis.client.config('SET', 'save', '')));
    expect((await doctor()).at(-1)).toMatchObject({ status: 'ok', text: 'snapshots (save 3600 1)' });
  });

  test('has a server that evicts nothing', async () => {
    await redis.client.config('SET', 'maxmemory', '64mb');
    await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    onTestFinished(async () => {
      await redis.client.config('SET', 'maxmemory', '0');
      await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    });
    expect(await problems()).toMatchObject([
      { subject: 'maxmemory-policy', text: expect.stringContaining('allkeys-lru may evict') },
    ]);
    await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    expect(await problems()).toEqual([]);
  });

  test('has a user with the required rights', async () => {
    await redis.client.acl(
      'SETUSER',
      'limits',
      'on',
      '>pa55word',
      '~rl:*',
      '+info',
      '+ping',
      '+select',
      '+client',
    );
    const url = redis.url.replace('//', '//limits:pa55word@');
    expect(await problems(url)).toMatchObject([
      { text: expect.stringContaining('its user may not run the required commands') },
    ]);
    await redis.client.acl('SETUSER', 'limits', '+evalsha', '+eval', '+mget', '+set', '+del', '+time');
    // CONFIG GET is no right that it needs.
    expect(await doctor(url)).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
      { status: 'ok' },
      { subject: 'persistence', status: 'skipped' },
    ]);
    const refused = await problems(url.replace('pa55word', 'other-one'));
    expect(refused).toMatchObject([{ text: 'the server refuses its user or password' }]);
    expect(JSON.stringify(refused)).not.toContain('other-one');
  });

  test('that leads nowhere is a problem, within its time', async () => {
    expect(await problems('redis://127.0.0.1:1')).toHaveLength(1);
    expect(await problems('redis://127.0.0.1:1/x')).toMatchObject([
      { text: 'the database must be a number' },
    ]);
  });

  test('has a clock that agrees with this one', async ({ skip }) => {
    const clock = steppedClock();
    if (clock === undefined) return skip();
    onTestFinished(clock.close);
    const stepped = await redisServer({ env: clock.env });
    onTestFinished(stepped.close);
    const env = { REDIS_URL: stepped.url, PORT: '9' };
    const of = async () => (await runDoctor('clocks', env)).find(({ subject }) => subject === 'Redis');
    expect(await of()).toMatchObject({ status: 'ok' });
    clock.step(-5_000);
    expect(await of()).toMatchObject({
      status: 'problem',
      text: expect.stringMatching(/^its clock is (4\.9|5\.0) s behind this machine's$/),
    });
    clock.step(90_000);
    expect(await of()).toMatchObject({ status: 'problem', text: expect.stringContaining('ahead of') });
  });
});
