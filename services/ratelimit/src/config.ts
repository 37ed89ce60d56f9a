import { readEnv } from '@gatehouse/kit/env';

export interface Config {
  readonly listen: string;
  readonly log_level: string;
  /** False: every check passes. Only a local development build may say so (spec 3, Mechanics, 9). */
  readonly rate_limits: boolean;
  /** Most buckets held in memory at a time, about 110 bytes each. */
  readonly max_buckets: number;
}

/** @throws ConfigError listing every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const rate_limits = read.choice('RATE_LIMITS', ['on', 'off'], 'on') === 'on';
    if (!rate_limits && env.NODE_ENV !== 'development') {
      read.problem('RATE_LIMITS may be off only where NODE_ENV is development');
    }
    return {
      listen: read.address('LISTEN', '127.0.0.1:8081'),
      log_level: read.choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
      rate_limits,
      max_buckets: read.integer('RATELIMIT_MAX_BUCKETS', { min: 1000, max: 16_000_000, default: 1_000_000 }),
    };
  });
}
