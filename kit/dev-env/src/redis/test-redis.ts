import { inContainer, onlyContainers } from '../programs/in-container.ts';
import { redisProgram, redisServer } from './redis-server.ts';

export interface TestRedis {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens a Redis or Valkey for one test file: the one in GATEHOUSE_TEST_REDIS_URL (shared, so tests use keys of their
 * own), else a container (../programs/in-container.ts), else redis-server or valkey-server from PATH.
 */
export async function testRedis(): Promise<TestRedis> {
  const url = process.env.GATEHOUSE_TEST_REDIS_URL;
  if (url && !onlyContainers()) return { url, close: async () => undefined };
  const container = await inContainer('Redis', containerRedis);
  if (container !== undefined) return container;
  if (redisProgram() === undefined) throw new Error(NO_REDIS);
  return redisServer();
}

const NO_REDIS =
  'tests of Redis need redis-server or valkey-server on PATH, Docker, or GATEHOUSE_TEST_REDIS_URL; `npm test` says more';

/** For describe.skipIf: `npm test` sets it if there is no Redis, and reports that at its end. */
export const redisIsMissing = process.env.GATEHOUSE_TEST_REDIS_MISSING === '1';

async function containerRedis(): Promise<TestRedis> {
  const { GenericContainer } = await import('testcontainers');
  const container = await new GenericContainer('redis:8').withExposedPorts(6379).start();
  return {
    url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    close: async () => {
      await container.stop();
    },
  };
}
