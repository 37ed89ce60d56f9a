import type { PolicyRule } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import type { BucketRule } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** Rules that a reload changes. */
export interface RuleSource {
  rules(): readonly PolicyRule[];
  /** Those that callers name, and no check brings itself. */
  named(): readonly BucketRule[];
  /** Adds a listener that is called after a change, before any decision under it. */
  onReload(listener: () => void): void;
}

/** The rules of all buckets. */
export interface AppliedRules extends Pick<RuleSource, 'rules' | 'onReload'> {
  /** Whether a rule is in force, and named by callers. */
  isCurrent(rule: BucketRule): boolean;
}

export function appliedRules(sources: readonly RuleSource[]): AppliedRules {
  let current = new Map<number, BucketRule>();
  const refresh = (): void => {
    current = new Map(sources.flatMap((source) => source.named()).map((rule) => [rule.index, rule]));
  };
  refresh();
  const onReload = (listener: () => void): void => {
    for (const source of sources) source.onReload(listener);
  };
  onReload(refresh);
  return {
    rules: () => sources.flatMap((source) => source.rules()),
    onReload,
    isCurrent: (rule) => current.get(rule.index) === rule,
  };
}
