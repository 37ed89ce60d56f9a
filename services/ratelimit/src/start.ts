import type { Running } from '@gatehouse/kit/lifecycle';
import type { Runtime } from '@gatehouse/kit/process/runtime';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { peerRules } from '@gatehouse/proto/peers';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { RatelimitAdminServiceDefinition } from '@gatehouse/proto/ratelimit-admin';
import { SETTLE_US } from '@gatehouse/ratelimit-client/denials/denial-cache';
import { identityHash } from '@gatehouse/ratelimit-client/keys/identity-hash';
import { type MicrosecondClock, monotonicClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { chargeReader } from './checks/charge-reader.ts';
import type { CheckSession } from './checks/check-session.ts';
import { decider } from './checks/decider.ts';
import type { Config } from './config.ts';
import { DeniedIdentities } from './denied/denied-identities.ts';
import type { Deps } from './deps.ts';
import { type Descriptors, UNCONFIGURED } from './descriptors/descriptors.ts';
import { envoyImplementation } from './envoy-implementation.ts';
import { addMetrics, storeSeconds } from './metrics.ts';
import { identityBuckets } from './overrides/identity-buckets.ts';
import { openOverrides } from './overrides/open-overrides.ts';
import { type RuleIndexes, ruleIndexes } from './reference/reference.ts';
import { openRules, type Rules } from './reference/rules.ts';
import { ratelimitAdminHandlers, ratelimitHandlers } from './rpc/index.ts';
import { Statistics } from './statistics.ts';
import { appliedRules, type RuleSource } from './stores/applied-rules.ts';
import { openStore } from './stores/open-store.ts';

export interface Overrides extends ProcessOverrides {
  readonly now_us?: MicrosecondClock;
}

export async function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const now_us = overrides.now_us ?? monotonicClock;

  return startProcess({ name: 'ratelimit', config, ...overrides }, async (runtime) => {
    const { log, resources, registry } = runtime;
    const indexOf = ruleIndexes();
    const rules = openRules({ file: config.rules_file, log, indexOf });
    resources.add('rules', () => rules.close());
    const descriptors = await openConfigured(config, indexOf, runtime);
    const onAnswer = storeSeconds(registry);
    const { name, store, denials, memory, values } = await openStore({
      config,
      rules: appliedRules([referenceRules(rules), descriptorRules(descriptors)]),
      now_us,
      log,
      resources,
      onAnswer,
      watch: config.redis_url === undefined ? undefined : runtime.batchWatch('redis'),
    });

    const denied = new DeniedIdentities(rules, now_us);
    const statistics = new Statistics((charge, denial) => denied.record(charge, denial));
    const hash = identityHash(config.key_secret);
    const overrides = await openOverrides({
      values,
      key_secret: config.key_secret,
      now_us,
      onChange: () => denials?.clear(SETTLE_US),
      reset: async ({ identity, bucket }) => store.exact.reset(deps.identityBuckets(identity, bucket)),
      log,
    });
    resources.add('overrides', () => overrides.close());
    const deps: Deps = {
      rules,
      charges: chargeReader(rules, hash, overrides.table),
      descriptors,
      header_forms: config.headers,
      decider: decider({ store, denials, now_us, statistics, enforced: config.rate_limits }),
      overrides,
      denied,
      identityBuckets: identityBuckets({ rules, hash, table: overrides.table, denied }),
      checkSessions: new Set<CheckSession>(),
      statistics,
      store_name: name,
      isStoreUp: store.isUp,
      memory,
    };
    addMetrics(registry, {
      statistics,
      isStoreUp: store.isUp,
      checkSessions: deps.checkSessions,
      liveBuckets: () => memory.size(),
      evictedBuckets: () => memory.evicted(),
    });
    if (!config.rate_limits) log.warn('rate limits are switched off: every check passes');
    return runtime.serve(
      config.listen,
      [
        implement(RatelimitServiceDefinition, ratelimitHandlers(deps)),
        implement(RatelimitAdminServiceDefinition, ratelimitAdminHandlers(deps)),
        envoyImplementation(deps),
      ],
      peerRules('ratelimit'),
    );
  });
}

function referenceRules(rules: Rules): RuleSource {
  return {
    rules: () => rules.current().rules,
    named: () => rules.current().listed,
    onReload: (listener) => rules.onReload(listener),
  };
}

function descriptorRules(descriptors: Descriptors): RuleSource {
  return {
    rules: () => descriptors.rules(),
    named: () => descriptors.rules(),
    onReload: (listener) => descriptors.onReload(listener),
  };
}

async function openConfigured(
  { descriptors: path, descriptors_algorithm: algorithm }: Config,
  indexOf: RuleIndexes,
  { log, resources }: Runtime,
): Promise<Descriptors> {
  if (path === undefined) return UNCONFIGURED;
  const { openDescriptors } = await import('./descriptors/open-descriptors.ts');
  const opened = await openDescriptors({ path, algorithm, indexOf, log });
  resources.add('descriptors', () => opened.close());
  return opened;
}
