import { type Bucket, type Explanation, FailurePolicy, LimitKind } from '@gatehouse/proto/ratelimit';
import { ExitCode } from '../../failures.ts';
import { duration, permits, tokens } from '../../output/quantities.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { type ChargeOptions, callRatelimit, checkOf, RATELIMIT_TIMEOUT } from './ratelimit-service.ts';

/** Prints the level of a bucket and how a charge would be decided now. */
export async function explain(options: ChargeOptions, runtime: Runtime): Promise<void> {
  const { identities, json } = options;
  const { explanations, admitted, store, revision } = await callRatelimit(options, runtime, (client) =>
    client.explain({ check: checkOf(options) }, { ...RATELIMIT_TIMEOUT, signal: runtime.signal }),
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

const KINDS: Readonly<Record<number, string>> = {
  [LimitKind.LIMIT_KIND_LEAKY_BUCKET]: 'leaky_bucket',
  [LimitKind.LIMIT_KIND_FIXED_WINDOW]: 'fixed_window',
  [LimitKind.LIMIT_KIND_CONCURRENCY]: 'concurrency',
};

/** A limit as text. */
function limitText({ kind, limit, window_seconds }: ReturnType<typeof factsOf>): string {
  switch (kind) {
    case 'concurrency':
      return `${limit} at a time, leases of ${window_seconds} s,`;
    case 'fixed_window':
      return `${limit} in each window of ${window_seconds} s`;
    default:
      return `${limit} per ${window_seconds} s`;
  }
}

function factsOf({ state, cost, retry_after_us, remembered }: Explanation, rule: Bucket) {
  return {
    bucket: rule.name,
    aliases: rule.aliases,
    kind: KINDS[rule.kind ?? LimitKind.LIMIT_KIND_LEAKY_BUCKET] ?? 'unknown',
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
  const facts = factsOf(explanation, rule);
  const { kind, limit, key, policy, cost, remaining, retry_after_us, empty_after_us, remembered } = facts;
  const amount = kind === 'concurrency' ? permits(cost) : tokens(cost);
  const names = [rule.name, ...rule.aliases].join(' / ');
  const level = empty_after_us === 0 ? 'empty' : `completely empty in ${duration(empty_after_us)}`;
  const decision = explanation.admitted
    ? `${amount} would be admitted now`
    : `${amount} would be denied for ${duration(retry_after_us)}`;
  return [
    `${names}: ${limitText(facts)} by ${key.join(' + ')}; without its store: ${policy}`,
    `${identities.join(' + ')}: ${remaining} of ${limit} left, ${level}`,
    decision + (remembered ? ', from a remembered denial' : ''),
  ];
}
