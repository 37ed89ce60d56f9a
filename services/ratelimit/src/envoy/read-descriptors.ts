import { hash } from 'node:crypto';
import type { RateLimitRequest } from '@gatehouse/proto/envoy/ratelimit';
import { addToSet } from '@gatehouse/ratelimit-client/leaky-bucket/add-to-set';
import { type ChargeReader, MAX_IDENTITY_BYTES, type RuleCharge } from '../checks/charge-reader.ts';
import { isExempt } from '../overrides/overridden-rule.ts';
import type { Reference, Rule } from '../reference/reference.ts';
import {
  badDescriptor,
  badLimit,
  chargedAndRefunded,
  inDescriptor,
  noDescriptors,
  tooManyDescriptors,
  unknownDescriptorBucket,
  wrongEntries,
} from './errors.ts';

const MAX_DESCRIPTORS = 16;

type Descriptor = RateLimitRequest['descriptors'][number];
type Entries = Descriptor['entries'];

export interface ReadRequest {
  /**
   * One for each descriptor, in order. A cost of 0 peeks, a cost below 0 refunds. A cost above the limit becomes one token
   * above it, which is always denied. An error would admit the request, since Envoy lets a request pass if its check fails.
   */
  readonly charges: readonly RuleCharge[];
  /** The same as a check, without exempt charges: the global bucket first, as a set of its own, and no bucket twice. */
  readonly check: readonly (readonly RuleCharge[])[];
}

/** @throws Fault INVALID_ARGUMENT at the first invalid descriptor */
export function readDescriptors(
  { descriptors, hits_addend }: RateLimitRequest,
  reference: Reference,
  reader: ChargeReader,
): ReadRequest {
  if (descriptors.length === 0) throw noDescriptors();
  if (descriptors.length > MAX_DESCRIPTORS) throw tooManyDescriptors(MAX_DESCRIPTORS);
  const global: RuleCharge[] = [];
  const others: RuleCharge[] = [];
  const charges = descriptors.map((descriptor, index) => {
    try {
      const charge = readDescriptor(descriptor, hits_addend, reference, reader);
      if (!isExempt(charge.rule))
        addToSet(charge.rule.name === 'global' ? global : others, charge, sumOfHits);
      return charge;
    } catch (error) {
      throw inDescriptor(error, index);
    }
  });
  return { charges, check: [global, others].filter((set) => set.length > 0) };
}

function readDescriptor(
  { entries, limit, hits_addend, is_negative_hits }: Descriptor,
  requestHits: number,
  reference: Reference,
  reader: ChargeReader,
): RuleCharge {
  if (limit !== null && limit !== undefined) throw badLimit();
  const [first, ...parts] = entries;
  if (first?.key !== 'bucket') throw badDescriptor();
  const rule = reference.byName.get(first.value);
  if (rule === undefined) throw unknownDescriptorBucket();
  const hits = hits_addend ?? (requestHits === 0 ? 1 : requestHits);
  const identities = identitiesOf(rule, parts).map(bucketIdentity);
  const charge = reader.charge({ bucket: rule.name, identities });
  return { ...charge, cost: clampedCost(charge.rule, is_negative_hits && hits > 0 ? -hits : hits) };
}

/** At most one token above the limit; a refund of the limit empties any bucket. */
function clampedCost({ limit }: Rule, hits: number): number {
  return Math.max(-limit, Math.min(hits, limit + 1));
}

/**
 * Envoy takes identities from requests. Every value that a client sends has a bucket, since an error would admit its request:
 * long values count by their hash, and all empty ones are one identity.
 */
function bucketIdentity(identity: string): string {
  if (identity === '') return 'empty:';
  if (Buffer.byteLength(identity) <= MAX_IDENTITY_BYTES) return identity;
  return `sha256:${hash('sha256', identity, 'base64url')}`;
}

/** Entries are named by their part of the key, in any order; or all are named "identity", in the key's order. */
function identitiesOf(rule: Rule, parts: Entries): string[] {
  if (parts.length !== rule.key.length) throw wrongEntries(rule);
  if (parts.every(({ key }) => key === 'identity')) return parts.map(({ value }) => value);
  return rule.key.map((kind) => {
    const part = parts.find(({ key }) => key === kind);
    if (part === undefined) throw wrongEntries(rule);
    return part.value;
  });
}

/** The cost of a bucket that several descriptors name. */
function sumOfHits(earlier: RuleCharge, { rule, cost }: RuleCharge): number {
  if (earlier.cost < 0 !== cost < 0) throw chargedAndRefunded(rule);
  return clampedCost(rule, earlier.cost + cost);
}
