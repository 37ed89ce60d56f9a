import type { Charge } from './check.ts';
import {
  badCost,
  badIdentity,
  tooManyCharges,
  tooManySets,
  unknownBucket,
  wrongIdentities,
} from './errors.ts';
import type { Reference } from './reference.ts';

const MAX_SETS = 4;
const MAX_CHARGES = 16;
const MAX_IDENTITY_BYTES = 512;

/** A charge as callers name it. */
export interface NamedCharge {
  readonly bucket: string;
  readonly identities: readonly string[];
  readonly cost?: number | null | undefined;
}

/**
 * Checks a whole request, so that a wrong one charges nothing, and finds its rules. A bucket that a
 * set names twice (an alias is the same bucket) is charged the sum.
 *
 * @throws Fault INVALID_ARGUMENT
 */
export function readSets(
  reference: Reference,
  sets: readonly { charges: readonly NamedCharge[] }[],
): Charge[][] {
  if (sets.length > MAX_SETS) throw tooManySets(MAX_SETS);
  return sets.map(({ charges }, set) => {
    if (charges.length > MAX_CHARGES) throw tooManyCharges(set, MAX_CHARGES);
    const read: Charge[] = [];
    for (const [index, charge] of charges.entries())
      add(read, readCharge(reference, charge, set, index), set, index);
    return read;
  });
}

function readCharge(
  reference: Reference,
  { bucket, identities, cost }: NamedCharge,
  set: number,
  index: number,
): Charge {
  const rule = reference.byName.get(bucket);
  if (rule === undefined) throw unknownBucket(set, index);
  if (identities.length !== rule.key.length) throw wrongIdentities(set, index, rule.name, rule.key);
  for (const [part, identity] of identities.entries()) {
    if (!isIdentity(identity)) throw badIdentity(set, index, part, MAX_IDENTITY_BYTES);
  }
  return { rule, key: keyOf(identities), cost: cost ?? 1 };
}

function add(read: Charge[], charge: Charge, set: number, index: number): void {
  const { rule, key } = charge;
  const same = read.findIndex((earlier) => earlier.rule === rule && earlier.key === key);
  const cost = charge.cost + (read[same]?.cost ?? 0);
  if (charge.cost < 1 || cost > rule.limit) throw badCost(set, index, rule.name, rule.limit);
  if (same < 0) read.push(charge);
  else read[same] = { rule, key, cost };
}

function isIdentity(identity: string): boolean {
  if (identity.length === 0 || identity.length > MAX_IDENTITY_BYTES) return false;
  return identity.length * 3 <= MAX_IDENTITY_BYTES || Buffer.byteLength(identity) <= MAX_IDENTITY_BYTES;
}

/** One text for all identities; lengths keep apart what a separator could not. */
function keyOf(identities: readonly string[]): string {
  const [first = '', ...others] = identities;
  return others.reduce((key, identity) => `${key.length}:${key}${identity}`, first);
}
