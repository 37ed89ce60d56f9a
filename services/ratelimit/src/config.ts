import { fileURLToPath } from 'node:url';
import { type EnvReader, readEnv } from '@gatehouse/kit/env';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { parseRedisUrl } from './redis/redis-url.ts';

export interface Config extends ProcessConfig {
  readonly listen: string;
  /** False: every check passes. Refused unless NODE_ENV is development. */
  readonly rate_limits: boolean;
  /** Most buckets held in memory at a time, about 140 bytes each. */
  readonly max_buckets: number;
  /** Where buckets are that several processes share; undefined: in this process's memory. */
  readonly redis_url: string | undefined;
  /** How long a check waits for the Redis. Then failure policies decide. */
  readonly redis_timeout_ms: number;
  /** Processes that share the Redis; while it is away each admits its part. */
  readonly replicas: number;
  /** What login names and e-mail addresses are hashed with; undefined: a secret of this process. */
  readonly key_secret: string | undefined;
  /** The bucket reference. */
  readonly rules_file: string;
}

const BUILT_IN_RULES = fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json'));
const MIN_SECRET_LENGTH = 32;

/** @throws ConfigError listing every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const rate_limits = read.choice('RATE_LIMITS', ['on', 'off'], 'on') === 'on';
    if (!rate_limits && env.NODE_ENV !== 'development') {
      read.problem('RATE_LIMITS may be off only where NODE_ENV is development');
    }
    const redis_url = redisUrl(read);
    const replicas = read.integer('RATELIMIT_REPLICAS', { min: 1, max: 10_000, default: 1 });
    if (replicas > 1 && redis_url === undefined) {
      read.problem('RATELIMIT_REPLICAS above 1 needs REDIS_URL: in memory each would admit the whole limit');
    }
    return {
      listen: read.listenAddress('LISTEN', '127.0.0.1:8081'),
      rate_limits,
      max_buckets: read.integer('RATELIMIT_MAX_BUCKETS', { min: 1000, max: 16_000_000, default: 1_000_000 }),
      redis_url,
      redis_timeout_ms: read.integer('REDIS_TIMEOUT_MS', { min: 5, max: 10_000, default: 25 }),
      replicas,
      key_secret: keySecret(read, redis_url !== undefined),
      rules_file: read.text('RATELIMIT_RULES_FILE', BUILT_IN_RULES),
      ...readProcessConfig(read, ['LISTEN']),
    };
  });
}

function redisUrl(read: EnvReader): string | undefined {
  const url = read.optionalText('REDIS_URL');
  if (url === undefined) return undefined;
  try {
    parseRedisUrl(url);
  } catch (error) {
    read.problem((error as Error).message);
  }
  return url;
}

/** Replicas that share a Redis must make the same keys. */
function keySecret(read: EnvReader, isShared: boolean): string | undefined {
  const secret = read.optionalText('RATELIMIT_KEY_SECRET');
  if (secret === undefined && isShared) {
    read.problem('RATELIMIT_KEY_SECRET is required with REDIS_URL: the same for all replicas');
  }
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
    read.problem(`RATELIMIT_KEY_SECRET must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  return secret;
}
