import { Fault, Status } from '@gatehouse/kit/fault';
import { placed } from '../errors.ts';
import type { Rule } from '../reference/reference.ts';

/**
 * Clients of Envoy's protocol see little more than the text of an error, so each text names its descriptor
 * (`inDescriptor`). None repeats an identity.
 */

export function noDescriptors(): Fault {
  return invalidDescriptor('NO_DESCRIPTORS', 'descriptors', 'A request has at least one descriptor.');
}

export function tooManyDescriptors(most: number): Fault {
  return invalidDescriptor(
    'TOO_MANY_DESCRIPTORS',
    'descriptors',
    `A request has at most ${most} descriptors.`,
  );
}

export function badDescriptor(): Fault {
  return invalidDescriptor(
    'BAD_DESCRIPTOR',
    'entries',
    'The first entry of a descriptor is "bucket", with its name.',
  );
}

export function unknownDescriptorBucket(): Fault {
  return invalidDescriptor('UNKNOWN_BUCKET', 'entries.0.value', 'The bucket reference has no such bucket.');
}

export function wrongEntries({ name, key }: Rule): Fault {
  const text = `Bucket ${name} has an entry for each of: ${key.join(', ')}.`;
  return invalidDescriptor('WRONG_IDENTITIES', 'entries', text);
}

export function chargedAndRefunded({ name }: Rule): Fault {
  return invalidDescriptor(
    'BAD_COST',
    'hits_addend',
    `A request charges bucket ${name} or refunds it, not both.`,
  );
}

export function badLimit(): Fault {
  return invalidDescriptor(
    'BAD_LIMIT',
    'limit',
    'Limits are the service’s own; a descriptor cannot bring one.',
  );
}

/** The same fault, with its descriptor. */
export function inDescriptor(error: unknown, index: number): unknown {
  const place = `descriptors.${index}`;
  const fault = placed(error, place);
  if (!(fault instanceof Fault)) return fault;
  const { status, reason, message, violations } = fault;
  return new Fault({ status, reason, message: `${place}: ${message}`, violations });
}

function invalidDescriptor(reason: string, path: string, message: string): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason,
    message,
    violations: [{ path, code: reason, message }],
  });
}
