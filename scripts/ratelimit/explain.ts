import { type Bucket, type Explanation, FailurePolicy } from '@gatehouse/proto/ratelimit';
import type { ChargeOptions } from './arguments.ts';
import { PATIENCE, type Peer } from './check.ts';
import { duration, say, tokens } from './say.ts';

/** Says how a charge would be decided now, and returns whether it would be admitted. */
export async function explain(
  peer: Peer,
  { bucket, identities, cost, json }: ChargeOptions,
): Promise<boolean> {
  const sets = [{ charges: [{ bucket, identities: [...identities], cost }] }];
  const { explanations, admitted, store, revision } = await peer.explain({ check: { sets } }, PATIENCE);
  const [explanation] = explanations;
  const rule = explanation?.rule;
  if (explanation === undefined || rule === null || rule === undefined) {
    throw new Error('the service explains nothing');
  }
  if (json) {
    say(JSON.stringify({ ...facts(explanation, rule), identities, admitted, store, revision }));
    return admitted;
  }
  for (const line of lines(explanation, rule, identities)) say(line);
  say(`decided by ${store}, under revision ${revision} of the rules`);
  return admitted;
}

const POLICIES: Readonly<Record<number, string>> = {
  [FailurePolicy.FAILURE_POLICY_LOCAL]: 'local',
  [FailurePolicy.FAILURE_POLICY_OPEN]: 'open',
  [FailurePolicy.FAILURE_POLICY_CLOSED]: 'closed',
};

function facts({ state, cost, retry_after_us, remembered }: Explanation, rule: Bucket) {
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
    facts(explanation, rule);
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
