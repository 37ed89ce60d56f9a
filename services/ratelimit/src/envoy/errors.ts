import { Fault } from '@gatehouse/kit/fault';
import { invalid, withPathPrefix } from '../errors.ts';
import type { Rule } from '../reference/reference.ts';

/**
 * Clients of Envoy's protocol show little more than the message of an error, so `inDescriptor` adds the descriptor to it. None
 * repeats an identity.
 */

export function noDescriptors(): Fault {
  return invalid('NO_DESCRIPTORS', 'descriptors', 'A request has at least one descriptor.');
}

export function tooManyDescriptors(max: number): Fault {
  return invalid('TOO_MANY_DESCRIPTORS', 'descriptors', `A request has at most ${max} descriptors.`);
}

export function badDescriptor(): Fault {
  return invalid('BAD_DESCRIPTOR', 'entries', 'The first entry of a descriptor is "bucket", with its name.');
}

export function unknownDescriptorBucket(): Fault {
  return invalid('UNKNOWN_BUCKET', 'entries.0.value', 'The bucket reference has no such bucket.');
}

export function wrongEntries({ name, key }: Rule): Fault {
  const text = `Bucket ${name} has an entry for each of: ${key.join(', ')}.`;
  return invalid('WRONG_IDENTITIES', 'entries', text);
}

export function chargedAndRefunded({ name }: Rule): Fault {
  return invalid('BAD_COST', 'hits_addend', `A request charges bucket ${name} or refunds it, not both.`);
}

export function badLimit(): Fault {
  return invalid('BAD_LIMIT', 'limit', 'Limits are the service’s own; a descriptor cannot bring one.');
}

export function badOverride(): Fault {
  const text = 'A limit has a unit from SECOND to YEAR, a window of at most a year, and at most 1000 units.';
  return invalid('BAD_LIMIT', 'limit', text);
}

/** The same fault, with its descriptor. */
export function inDescriptor(error: unknown, index: number): unknown {
  const path = `descriptors.${index}`;
  const fault = withPathPrefix(error, path);
  if (!(fault instanceof Fault)) return fault;
  const { status, reason, message, violations } = fault;
  return new Fault({ status, reason, message: `${path}: ${message}`, violations });
}
