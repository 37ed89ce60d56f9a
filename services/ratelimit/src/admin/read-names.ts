import { MAX_IDENTITY_BYTES } from '../checks/charge-reader.ts';
import { badIdentity, unknownBucket } from '../errors.ts';
import type { Reference, Rule } from '../reference/reference.ts';

/** @throws BAD_IDENTITY */
export function readIdentity(identity: string): string {
  if (identity === '' || Buffer.byteLength(identity) > MAX_IDENTITY_BYTES)
    throw badIdentity('identity', MAX_IDENTITY_BYTES);
  return identity;
}

/**
 * The row that an operator names, perhaps by an alias. Internal rows count too.
 *
 * @throws UNKNOWN_BUCKET
 */
export function readRow(name: string | null | undefined, { byName, rules }: Reference): Rule | undefined {
  if (name === null || name === undefined) return undefined;
  const rule = byName.get(name) ?? rules.find((row) => row.name === name);
  if (rule === undefined) throw unknownBucket();
  return rule;
}
