import { installWithApt } from '@gatehouse/dev-env/programs/apt';
import { mayUseDocker } from '@gatehouse/dev-env/programs/in-container';
import { redisProgram } from '@gatehouse/dev-env/redis/redis-server';

/** Provides a Redis or Valkey for tests. Returns the reason if that is impossible. */
export async function provideRedis(): Promise<string | undefined> {
  const found = process.env.GATEHOUSE_TEST_REDIS_URL || redisProgram() || (await mayUseDocker());
  if (found) return undefined;
  await installWithApt(['redis-server'], 'no redis-server on PATH');
  if (redisProgram() !== undefined) return undefined;
  return 'Put redis-server or valkey-server on PATH, or set GATEHOUSE_TEST_REDIS_URL.';
}
