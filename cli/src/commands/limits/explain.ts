import { type Bucket, type Explanation, FailurePolicy } from '@gatehouse/proto/ratelimit';
import { ExitCode } from '../../failures.ts';
import { duration, tokens } from '../../output/quantities.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { type ChargeOptions, callRatelimit, RATELIMIT_TIMEOUT } from './ratelimit-service.ts';

/** Prints the level of a bucket and how a charge would be decided now. */
export async function explain(options: ChargeOptions, runtime: Runtime): Promise<void> {
  const { bucket, identities, cost, json } = options;
  const sets = [{ charges: [{ bucket, identities: [...identities], cost }] }];
  const { explanations, admitted, store, revision } = await callRatelimit(options, runtime, (client) =>
    client.explain({ check: { sets } }, { ...RATELIMIT_TIMEOUT, signal: runtime.signal }),
  );
  const [explanation] = explanations;
  const rule = explanation?.rule;
  if (explanation === undefined || rule === null || rule === undefined)
    throw new Error('ratelimit explained no charge');
  if (!admitted) runtime.exitCode = ExitCode.NEGATIVE;
  if (json) {
    const facts = factsOf(explanation, rule);
    printLine(runtime, JSON.stringify({ ...facts, identities, admitted, store, revision }));
    return;
  }
  for (const line of lines(explanation, rule, identities)) printLine(runtime, line);
  printLine(runtime, `decided by ${store}, under revision ${revision} of the rules`);
}

const POLICIES: Readonly<Record<number, string>> = {
  [FailurePolicy.FAILURE_POLICY_LOCAL]: 'local',
  [FailurePolicy.FAILURE_POLICY_OPEN]: 'open',
  [FailurePolicy.FAILURE_POLICY_CLOSED]: 'closed',
};

function factsOf({ state, cost, retry_after_us, remembered }: Explanation, rule: Bucket) {
  return {
    bucket: rule.name,
    aliases: rule.aliases,
    limit: rule.limit,
    window_seconds: rule.window_seconds,
    key: rule.key,
    policy: POLICIES[rule.policy] ?? 'unknown',
    cost,
    remaining: state?.remaining ?? 0,
    retry_after_us,
    empty_after_us: state?.empty_after_us ?? 0,
    remembered,
  };
}

function lines(explanation: Explanation, rule: Bucket, identities: readonly string[]): string[] {
  const { limit, window_seconds, key, policy, cost, remaining, retry_after_us, empty_after_us, remembered } =
    factsOf(explanation, rule);
  const names = [rule.name, ...rule.aliases].join(' / ');
  const level = empty_after_us === 0 ? 'empty' : `completely empty in ${duration(empty_after_us)}`;
  const decision = explanation.admitted
    ? `${tokens(cost)} would be admitted now`
    : `${tokens(cost)} would be denied for ${duration(retry_after_us)}`;
  return [
    `${names}: ${limit} per ${window_seconds} s by ${key.join(' + ')}; without its store: ${policy}`,
    `${identities.join(' + ')}: ${remaining} of ${limit} left, ${level}`,
    decision + (remembered ? ', from a remembered denial' : ''),
  ];
}
