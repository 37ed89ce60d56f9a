import { inspectRedis, type RedisFacts } from '@gatehouse/ratelimit/inspect-redis';
import {
  type CheckContext,
  type Finding,
  ok,
  problem,
  STEP_TIMEOUT_MS,
  skipped,
  warning,
} from '../finding.ts';

/** The scripts were measured with this version. Older ones work, from 6.2 on. */
const SUPPORTED_MAJOR = 7;

/** Checks REDIS_URL as ratelimit uses it: version, rights, policy, persistence. */
export async function checkRedis({ env }: CheckContext): Promise<readonly Finding[]> {
  const { REDIS_URL } = env;
  if (!REDIS_URL)
    return [skipped('REDIS_URL', 'is not set: buckets are in the memory of one process of ratelimit')];
  try {
    return findings(await inspectRedis(REDIS_URL, STEP_TIMEOUT_MS));
  } catch (error) {
    const { message, name } = error as Error;
    const text = message.replace(/^REDIS_URL:? /, '');
    const advice =
      name === 'UnsuitableRedis'
        ? 'ratelimit does not start with it. Change the server, its user or REDIS_URL.'
        : 'Start it, or correct REDIS_URL. Until then each process counts alone.';
    return [problem('REDIS_URL', text, advice)];
  }
}

function findings(facts: RedisFacts): Finding[] {
  return [
    versionFinding(facts),
    ok('rights', 'its user may run the required commands'),
    policyFinding(facts),
    persistenceFinding(facts),
  ];
}

function versionFinding({ version }: RedisFacts): Finding {
  if (Number.parseInt(version, 10) >= SUPPORTED_MAJOR) return ok('version', version);
  return warning('version', `${version} works, but is old`, `Use version ${SUPPORTED_MAJOR} or later.`);
}

function policyFinding({ maxmemory, maxmemory_policy }: RedisFacts): Finding {
  if (maxmemory_policy === 'noeviction' || maxmemory === 0)
    return ok('maxmemory-policy', maxmemory === 0 ? 'no limit of memory' : maxmemory_policy);
  return problem(
    'maxmemory-policy',
    `${maxmemory_policy} may evict buckets that are not empty, and admit too much`,
    'CONFIG SET maxmemory-policy noeviction, and in its file.',
  );
}

function persistenceFinding({ aof, save, last_save }: RedisFacts): Finding {
  if (last_save !== 'ok')
    return problem(
      'persistence',
      'the last snapshot failed: by default the server then refuses writes',
      'Look at its log, its disk and the rights of its folder.',
    );
  if (aof) return ok('persistence', 'append-only file');
  if (save === undefined) return skipped('persistence', 'its user may not run CONFIG GET save');
  if (save !== '') return ok('persistence', `snapshots (save ${save})`);
  return warning(
    'persistence',
    'off: a restart empties all buckets, and what else is kept there',
    'Set appendonly yes, unless used-up limits may start at zero.',
  );
}
