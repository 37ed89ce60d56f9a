import { Fault, Status } from '@gatehouse/kit/fault';

/*
 * Every error here is a mistake of the calling service, never of the client behind it, so none has a
 * reason that the edge would turn into a 4xx. None repeats an identity.
 */

export function tooManySets(most: number): Fault {
  return invalid('TOO_MANY_SETS', 'sets', `A check has at most ${most} sets.`);
}

export function tooManyCharges(set: number, most: number): Fault {
  return invalid('TOO_MANY_CHARGES', `sets.${set}.charges`, `A set has at most ${most} charges.`);
}

export function unknownBucket(set: number, charge: number): Fault {
  return invalid('UNKNOWN_BUCKET', `${at(set, charge)}.bucket`, 'The bucket reference has no such bucket.');
}

export function wrongIdentities(set: number, charge: number, bucket: string, key: readonly string[]): Fault {
  const text = `Bucket ${bucket} has an identity for each of: ${key.join(', ')}.`;
  return invalid('WRONG_IDENTITIES', `${at(set, charge)}.identities`, text);
}

export function badIdentity(set: number, charge: number, part: number, mostBytes: number): Fault {
  const path = `${at(set, charge)}.identities.${part}`;
  return invalid('BAD_IDENTITY', path, `An identity has 1 to ${mostBytes} bytes.`);
}

export function badCost(set: number, charge: number, bucket: string, limit: number): Fault {
  return invalid(
    'BAD_COST',
    `${at(set, charge)}.cost`,
    `A set charges bucket ${bucket} 1 to ${limit} tokens.`,
  );
}

function at(set: number, charge: number): string {
  return `sets.${set}.charges.${charge}`;
}

function invalid(reason: string, path: string, message: string): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason,
    message,
    violations: [{ path, code: reason, message }],
  });
}
