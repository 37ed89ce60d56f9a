import { fileURLToPath } from 'node:url';
import { type EnvReader, readEnv } from '@gatehouse/kit/env';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { listenSetting } from '@gatehouse/proto/services';
import { ALGORITHMS, type Algorithm } from './descriptors/file/definitions.ts';
import { HEADER_FORMS, type HeaderForm } from './envoy/quota-headers.ts';
import { parseRedisUrl } from './redis/redis-url.ts';

export interface Config extends ProcessConfig {
  readonly listen: string;
  readonly rate_limits: boolean;
  readonly max_buckets: number;
  /** Undefined: buckets are in this process's memory. */
  readonly redis_url: string | undefined;
  readonly redis_timeout_ms: number;
  readonly replicas: number;
  /** Undefined: a secret of this process. */
  readonly key_secret: string | undefined;
  readonly rules_file: string;
  /** A file of descriptors, or a folder of them. */
  readonly descriptors: string | undefined;
  readonly descriptors_algorithm: Algorithm;
  /** The headers of the remaining quota on answers to Envoy. */
  readonly headers: readonly HeaderForm[];
}

const BUILT_IN_RULES = fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json'));
const MIN_SECRET_LENGTH = 32;

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const redis_url = readRedisUrl(read);
    return {
      listen: read.listenAddress(...listenSetting('ratelimit')),
      rate_limits: readRateLimits(read, env),
      max_buckets: read.integer('RATELIMIT_MAX_BUCKETS', {
        about: 'maximum buckets in memory, about 140 bytes each',
        min: 1000,
        max: 16_000_000,
        default: 1_000_000,
      }),
      redis_url,
      redis_timeout_ms: read.integer('REDIS_TIMEOUT_MS', {
        about:
          'milliseconds that a check waits for Redis: more than its 99th percentile, and much less than RATELIMIT_TIMEOUT_MS of the edge',
        min: 5,
        max: 10_000,
        default: 25,
      }),
      replicas: readReplicas(read, redis_url !== undefined),
      key_secret: readKeySecret(read, redis_url !== undefined),
      rules_file: read.text('RATELIMIT_RULES_FILE', {
        about: 'the bucket reference, read again when it changes',
        default: BUILT_IN_RULES,
        unset: 'buckets.json of this version',
      }),
      descriptors: read.optionalText('RATELIMIT_DESCRIPTORS', {
        about:
          'limits of other domains for Envoy, in envoyproxy/ratelimit’s format: a file, or a folder of *.yaml; read again when it changes',
        unset: 'the bucket reference alone',
        example: '/etc/gatehouse/descriptors',
      }),
      descriptors_algorithm: read.choice('RATELIMIT_DESCRIPTORS_ALGORITHM', {
        about: 'the default `algorithm` of the limits in these files',
        choices: ALGORITHMS,
        default: 'leaky_bucket',
      }),
      headers: readHeaders(read),
      ...readProcessConfig(read, ['LISTEN']),
    };
  });
}

function readRateLimits(read: EnvReader, { NODE_ENV }: NodeJS.ProcessEnv): boolean {
  const rate_limits = read.choice('RATE_LIMITS', {
    about: '`off`, only with NODE_ENV=development: no limit holds',
    choices: ['on', 'off'],
    default: 'on',
  });
  if (rate_limits === 'off' && NODE_ENV !== 'development')
    read.problem('RATE_LIMITS may be off only where NODE_ENV is development');
  return rate_limits === 'on';
}

function readHeaders(read: EnvReader): HeaderForm[] {
  const text = read.text('RATELIMIT_HEADERS', {
    about:
      'headers of the remaining quota on answers to Envoy: `off`, `x-ratelimit` (-limit, -remaining, -reset), `ietf` (RateLimit, RateLimit-Policy), or both by comma',
    default: 'off',
  });
  const names = text === 'off' ? [] : text.split(',').map((name) => name.trim());
  const forms = HEADER_FORMS.filter((form) => names.includes(form));
  if (forms.length !== names.length) {
    read.problem(
      `RATELIMIT_HEADERS must be off, or one or more of ${HEADER_FORMS.join(', ')}, separated by commas`,
    );
  }
  return forms;
}

function readReplicas(read: EnvReader, isShared: boolean): number {
  const replicas = read.integer('RATELIMIT_REPLICAS', {
    about:
      'processes that share the Redis; while it is away, each admits its share. Above 1 only with REDIS_URL',
    min: 1,
    max: 10_000,
    default: 1,
  });
  if (replicas > 1 && !isShared)
    read.problem('RATELIMIT_REPLICAS above 1 needs REDIS_URL: in memory each would admit the whole limit');
  return replicas;
}

function readRedisUrl(read: EnvReader): string | undefined {
  const url = read.optionalText('REDIS_URL', {
    about:
      '`redis://`, `redis+sentinel://host:port,…/name` or `redis+cluster://host:port,…`, each with `rediss` for TLS; Valkey works too',
    unset: 'buckets in memory',
    example: 'redis://127.0.0.1:6379',
  });
  if (url === undefined) return undefined;
  try {
    parseRedisUrl(url);
  } catch (error) {
    read.problem((error as Error).message);
  }
  return url;
}

/** Replicas that share a Redis must make the same keys. */
function readKeySecret(read: EnvReader, isShared: boolean): string | undefined {
  const secret = read.optionalText('RATELIMIT_KEY_SECRET', {
    about:
      'hashes login names and e-mail addresses in Redis: at least 32 characters, the same for all replicas; required with REDIS_URL',
    unset: 'a random one',
    example: 'a-random-secret-of-32-characters-or-more',
  });
  if (secret === undefined && isShared) {
    read.problem('RATELIMIT_KEY_SECRET is required with REDIS_URL: the same for all replicas');
  }
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
    read.problem(`RATELIMIT_KEY_SECRET must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  return secret;
}
