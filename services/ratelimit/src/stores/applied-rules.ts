import type { PolicyRule } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import type { BucketRule } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Descriptors } from '../descriptors/descriptors.ts';
import type { Rules } from '../reference/rules.ts';

/** The rules of all buckets: rows of the reference and limits of descriptors. */
export interface AppliedRules {
  all(): readonly PolicyRule[];
  /** Whether a rule is one of them that callers name, and not one that was made for a check. */
  isCurrent(rule: BucketRule): boolean;
  /** Adds a listener that is called after a change, before any decision under it. */
  onReload(listener: () => void): void;
}

export function appliedRules(rules: Rules, descriptors: Descriptors): AppliedRules {
  let current = new Map<number, BucketRule>();
  const all = (): readonly PolicyRule[] => [...rules.current().rules, ...descriptors.rules()];
  const refresh = (): void => {
    const named = [...rules.current().listed, ...descriptors.rules()];
    current = new Map(named.map((rule) => [rule.index, rule]));
  };
  refresh();
  const onReload = (listener: () => void): void => {
    rules.onReload(listener);
    descriptors.onReload(listener);
  };
  onReload(refresh);
  return { all, onReload, isCurrent: (rule) => current.get(rule.index) === rule };
}
