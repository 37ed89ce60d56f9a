import type { Charge as NamedCharge } from '@gatehouse/proto/ratelimit';
import type { HashIdentity } from '@gatehouse/ratelimit-client/keys/identity-hash';
import { keyOf } from '@gatehouse/ratelimit-client/keys/key-of';
import { addToSet } from '@gatehouse/ratelimit-client/leaky-bucket/add-to-set';
import type { Bucket, Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import {
  badCost,
  badIdentity,
  badLeaseId,
  noLeases,
  tooManyCharges,
  tooManySets,
  unknownBucket,
  withPathPrefix,
  wrongIdentities,
} from '../errors.ts';
import { counted } from '../overrides/counted.ts';
import type { OverrideTable } from '../overrides/override-table.ts';
import type { Rule } from '../reference/reference.ts';
import type { Rules } from '../reference/rules.ts';

const MAX_SETS = 4;
const MAX_CHARGES = 16;
export const MAX_IDENTITY_BYTES = 512;
const MAX_LEASE_ID_BYTES = 64;

/** A charge of a row of the reference. */
export interface RuleCharge extends Charge {
  readonly rule: Rule;
}

/** Finds the rules and keys of callers' charges, under the current rules and overrides. */
export interface ChargeReader {
  /**
   * Reads one charge; its cost is not checked.
   *
   * @throws Fault INVALID_ARGUMENT with the path below the charge, such as "identities.1"
   */
  charge(named: NamedCharge): RuleCharge;
  /**
   * Reads a check. A bucket that a set names twice, perhaps by an alias, is charged the sum. Charges that an override exempts
   * are left out, and sets without others.
   *
   * @throws Fault INVALID_ARGUMENT with the path, such as "sets.0.charges.1.cost"
   */
  check(sets: readonly { readonly charges: readonly NamedCharge[] }[]): readonly RuleCharge[][];
  /**
   * Reads a check, with the charges that an override exempts.
   *
   * @throws as `check`
   */
  wholeCheck(sets: readonly { readonly charges: readonly NamedCharge[] }[]): readonly RuleCharge[][];
  /**
   * Reads refunds. The cost of a lease is ignored, since a lease is released as a whole.
   *
   * @throws Fault INVALID_ARGUMENT with the path, such as "charges.1.cost"
   */
  refunds(charges: readonly NamedCharge[]): RuleCharge[];
  /**
   * Reads buckets, with repetitions. Costs are ignored. A bucket of leases needs no lease ID.
   *
   * @throws Fault INVALID_ARGUMENT
   */
  buckets(charges: readonly NamedCharge[]): (Bucket & { readonly rule: Rule })[];
}

export function chargeReader(rules: Rules, hash: HashIdentity, overrides: OverrideTable): ChargeReader {
  function findBucket({ bucket, identities, cost, lease_id }: NamedCharge): RuleCharge {
    const named = rules.current().byName.get(bucket);
    if (named === undefined) throw unknownBucket();
    checkIdentities(named, identities);
    const key = keyOf(named, identities, hash);
    const rule = overrides.ruleFor(named, identities);
    if (lease_id === undefined || lease_id === null) return { rule, key, cost: cost ?? 1, identities };
    if (rule.kind !== 'concurrency') throw noLeases(rule.name);
    if (!isText(lease_id, MAX_LEASE_ID_BYTES)) throw badLeaseId(rule.name, MAX_LEASE_ID_BYTES);
    return { rule, key, cost: cost ?? 1, lease_id, identities };
  }

  function find(named: NamedCharge): RuleCharge {
    const charge = findBucket(named);
    const { rule, lease_id } = charge;
    if (rule.kind === 'concurrency' && lease_id === undefined)
      throw badLeaseId(rule.name, MAX_LEASE_ID_BYTES);
    return charge;
  }

  /** A lease is released as a whole, so the cost of its refund is 1. */
  function findRefund(named: NamedCharge): RuleCharge {
    const charge = find(named);
    return charge.lease_id === undefined ? charge : { ...charge, cost: 1 };
  }

  function set(charges: readonly NamedCharge[], findCharge = find, sumOf = checkedSum): RuleCharge[] {
    if (charges.length > MAX_CHARGES) throw tooManyCharges(MAX_CHARGES);
    const read: RuleCharge[] = [];
    for (let index = 0; index < charges.length; index++) {
      try {
        const charge = findCharge(charges[index] as NamedCharge); // index is below the length
        checkCost(charge.rule, charge.cost);
        addToSet(read, charge, sumOf);
      } catch (error) {
        throw withPathPrefix(error, `charges.${index}`);
      }
    }
    return read;
  }

  function setAt({ charges }: { readonly charges: readonly NamedCharge[] }, index: number): RuleCharge[] {
    try {
      return set(charges);
    } catch (error) {
      throw withPathPrefix(error, `sets.${index}`);
    }
  }

  function wholeCheck(sets: Parameters<ChargeReader['check']>[0]): RuleCharge[][] {
    if (sets.length > MAX_SETS) throw tooManySets(MAX_SETS);
    return sets.map(setAt);
  }

  return {
    charge: find,
    wholeCheck,
    refunds: (charges) => {
      const refunds = set(charges, findRefund, refundSum);
      return overrides.size === 0 ? refunds : counted(refunds, 0);
    },
    check: (sets) => {
      const check = wholeCheck(sets);
      return overrides.size === 0 ? check : check.map((charges) => counted(charges)).filter(isCharged);
    },
    buckets: (charges) => {
      if (charges.length > MAX_CHARGES) throw tooManyCharges(MAX_CHARGES);
      return charges.map((charge, index) => {
        try {
          return findBucket(charge);
        } catch (error) {
          throw withPathPrefix(error, `charges.${index}`);
        }
      });
    },
  };
}

function checkedSum(earlier: RuleCharge, { rule, cost }: RuleCharge): number {
  const sum = earlier.cost + cost;
  checkCost(rule, sum);
  return sum;
}

function refundSum(earlier: RuleCharge, charge: RuleCharge): number {
  return charge.lease_id === undefined ? checkedSum(earlier, charge) : 1;
}

/** Callers know the limit of the reference, and not that of an override. */
function checkCost(rule: Rule, cost: number): void {
  const { name, limit } = rule.overridden?.rule ?? rule;
  if (cost < 1 || cost > limit) throw badCost(name, limit);
}

function isCharged(set: readonly RuleCharge[]): boolean {
  return set.length > 0;
}

function checkIdentities({ name, key }: Rule, identities: readonly string[]): void {
  if (identities.length !== key.length) throw wrongIdentities(name, key);
  for (let part = 0; part < identities.length; part++) {
    if (!isIdentity(identities[part] ?? '')) throw badIdentity(`identities.${part}`, MAX_IDENTITY_BYTES);
  }
}

function isIdentity(identity: string): boolean {
  return isText(identity, MAX_IDENTITY_BYTES);
}

/** Whether a text has 1 to `maxBytes` bytes. */
function isText(text: string, maxBytes: number): boolean {
  if (text.length === 0 || text.length > maxBytes) return false;
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
}
