import type { Policy } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import type { UnitName } from './units.ts';

/** The content of a file of descriptors. */
export interface DomainDefinition {
  readonly domain: string;
  readonly descriptors: readonly DescriptorDefinition[];
}

export interface DescriptorDefinition {
  readonly key: string;
  /** Empty: any value. With `*`: a wildcard. */
  readonly value: string;
  readonly share_threshold: boolean;
  readonly value_to_metric: boolean;
  readonly limit: LimitDefinition | undefined;
  readonly descriptors: readonly DescriptorDefinition[];
}

export const ALGORITHMS = ['leaky_bucket', 'fixed_window'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** How a limit that is reached affects the request: it denies, it is only counted, or it denies with all other quotas. */
export type Mode = 'enforced' | 'shadow' | 'quota';

export interface LimitDefinition {
  /** The descriptor's path, `domain.key_value.key`: its name in metrics and in Redis. */
  readonly path: string;
  /** `name` of the rate_limit, which `replaces` of others refers to; empty without one. */
  readonly name: string;
  readonly replaces: readonly string[];
  readonly mode: Mode;
  readonly detailed_metric: boolean;
  /** Added to the dynamic metadata of answers that this limit admits. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Undefined: unlimited. */
  readonly rate: RateDefinition | undefined;
}

export interface RateDefinition {
  /** 0 denies everything. */
  readonly requests_per_unit: number;
  readonly unit: UnitName;
  readonly unit_multiplier: number;
  readonly window_seconds: number;
  /** Undefined: the default of the settings. */
  readonly algorithm: Algorithm | undefined;
  readonly failure_policy: Policy;
}
