import { hash } from 'node:crypto';
import type { RateLimitRequest } from '@gatehouse/proto/envoy/ratelimit';
import { bucketKey } from '@gatehouse/ratelimit-client/keys/bucket-key';
import type { Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { MAX_IDENTITY_BYTES } from '../checks/charge-reader.ts';
import { inDescriptor, noDescriptors, tooManyDescriptors } from '../envoy/errors.ts';
import type { Domain } from './descriptor-set.ts';
import type { LimitDefinition } from './file/definitions.ts';
import type { Entry, Match } from './match/descriptor-tree.ts';
import { withoutReplaced } from './match/without-replaced.ts';
import { overrideOf } from './override.ts';
import type { ShownLimit } from './shown-limit.ts';

const MAX_DESCRIPTORS = 16;

type Descriptor = RateLimitRequest['descriptors'][number];

/** A limit that a descriptor of a request is charged to. */
export interface LimitCharge extends Charge {
  readonly mode: LimitDefinition['mode'];
  /** The limit, as answers show it. */
  readonly shown: ShownLimit;
  readonly metadata: LimitDefinition['metadata'];
}

/** The limit that a descriptor of a request selects. */
export type ReadDescriptor = LimitCharge | 'unlimited' | 'no limit';

/**
 * Finds the limit of each descriptor, in order.
 *
 * @throws Fault INVALID_ARGUMENT for mistakes of Envoy's configuration, never for a value of a client's request
 */
export function readRequest(
  { descriptors, hits_addend }: RateLimitRequest,
  domain: Domain,
): readonly ReadDescriptor[] {
  if (descriptors.length === 0) throw noDescriptors();
  if (descriptors.length > MAX_DESCRIPTORS) throw tooManyDescriptors(MAX_DESCRIPTORS);
  const matches = withoutReplaced(
    descriptors.map(({ entries, limit }) => (hasLimit(limit) ? undefined : domain.tree.match(entries))),
  );
  return descriptors.map((descriptor, index) => {
    try {
      const hits = hitsOf(descriptor, hits_addend);
      if (hasLimit(descriptor.limit))
        return overrideCharge(descriptor.limit, descriptor.entries, hits, domain);
      return matchedCharge(matches[index], hits, domain);
    } catch (error) {
      throw inDescriptor(error, index);
    }
  });
}

function hasLimit(limit: Descriptor['limit']): limit is NonNullable<Descriptor['limit']> {
  return limit !== null && limit !== undefined;
}

/** A request's 0 means 1; a descriptor's peeks. */
function hitsOf({ hits_addend, is_negative_hits }: Descriptor, requestHits: number): number {
  const hits = hits_addend ?? Math.max(1, requestHits);
  return is_negative_hits ? -hits : hits;
}

function matchedCharge(match: Match | undefined, hits: number, domain: Domain): ReadDescriptor {
  if (match === undefined) return 'no limit';
  const { limit, values, metric } = match;
  const rule = domain.ruleOf(limit);
  if (rule === undefined || limit.rate === undefined) return 'unlimited';
  const { requests_per_unit, unit, unit_multiplier } = limit.rate;
  return {
    rule,
    key: keyOf(rule.name, values),
    cost: costOf(requests_per_unit, hits),
    ...(metric !== limit.path && { label: metric }),
    mode: limit.mode,
    shown: { name: limit.name, requests_per_unit, unit, unit_multiplier },
    metadata: limit.metadata,
  };
}

/** All descriptors with a limit of their own share one rule of the domain, whose rate each of them sets. */
function overrideCharge(
  limit: NonNullable<Descriptor['limit']>,
  entries: readonly Entry[],
  hits: number,
  domain: Domain,
): LimitCharge {
  const { shown, rate } = overrideOf(limit, domain.algorithm);
  const rule = { ...domain.override, ...rate };
  const texts = entries.map(({ key, value }) => bucketKey([key, value]));
  return {
    rule,
    key: keyOf(rule.name, texts),
    cost: costOf(shown.requests_per_unit, hits),
    mode: 'enforced',
    shown,
    metadata: undefined,
  };
}

/** At most one token above the limit, which is always denied. A refund of the limit empties any bucket. */
export function costOf(limit: number, hits: number): number {
  if (limit === 0) return hits < 0 ? 0 : 2; // of a rule with one token
  return Math.max(-limit, Math.min(hits, limit + 1));
}

/**
 * The key of a bucket. In a cluster its first value decides the slot, so that the values of a request spread them. Every value
 * that a client sends has a bucket, since an error would admit its request: a long one counts by its hash.
 */
function keyOf(name: string, values: readonly string[]): string {
  return bucketKey((values.length === 0 ? [name] : values).map(bounded));
}

function bounded(value: string): string {
  if (value === '') return 'empty:';
  if (Buffer.byteLength(value) <= MAX_IDENTITY_BYTES) return value;
  return `sha256:${hash('sha256', value, 'base64url')}`;
}
