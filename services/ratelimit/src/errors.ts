import { Fault, faultsOf, unavailable } from '@gatehouse/kit/fault';
import { ERRORS, type ErrorCode } from '@gatehouse/proto/errors';

const fault = faultsOf(ERRORS);

/**
 * Every error here is a mistake of the calling service, never of its client, so none has a reason that the edge would
 * turn into a 4xx. None repeats an identity. Each names its place relative to the reader that finds it; `placed` adds
 * the place of that reader.
 */

export function tooManyChecks(most: number): Fault {
  return invalid('TOO_MANY_CHECKS', 'checks', `A request has at most ${most} checks.`);
}

export function tooManySets(most: number): Fault {
  return invalid('TOO_MANY_SETS', 'sets', `A check has at most ${most} sets.`);
}

export function tooManyCharges(most: number): Fault {
  return invalid('TOO_MANY_CHARGES', 'charges', `A set has at most ${most} charges.`);
}

export function unknownBucket(): Fault {
  return invalid('UNKNOWN_BUCKET', 'bucket', 'The bucket reference has no such bucket.');
}

export function wrongIdentities(bucket: string, key: readonly string[]): Fault {
  const text = `Bucket ${bucket} has an identity for each of: ${key.join(', ')}.`;
  return invalid('WRONG_IDENTITIES', 'identities', text);
}

export function badIdentity(part: number, mostBytes: number): Fault {
  return invalid('BAD_IDENTITY', `identities.${part}`, `An identity has 1 to ${mostBytes} bytes.`);
}

export function badCost(bucket: string, limit: number): Fault {
  return invalid('BAD_COST', 'cost', `A set charges bucket ${bucket} 1 to ${limit} tokens.`);
}

export function badId(path: string, mostBytes: number): Fault {
  return invalid('BAD_IDENTITY', path, `An ID has 1 to ${mostBytes} bytes.`);
}

export function badInterval(least: number, most: number): Fault {
  return invalid('BAD_INTERVAL', 'interval_seconds', `An interval has ${least} to ${most} seconds.`);
}

export function badFields(): Fault {
  return invalid('BAD_FIELDS', 'fields', 'A request names each changed field once, and at least one.');
}

/** The store cannot be reached, and the call needs it. */
export function storeUnavailable(cause?: unknown): Fault {
  return unavailable(cause ?? new Error('the store does not answer'));
}

/** The same fault with the outer place. */
export function placed(error: unknown, place: string): unknown {
  if (!(error instanceof Fault) || error.violations.length === 0) return error;
  const { status, reason, message, violations } = error;
  return new Fault({
    status,
    reason,
    message,
    violations: violations.map((violation) => ({ ...violation, path: `${place}.${violation.path}` })),
  });
}

/** A fault with one violation, of the same code and text. */
export function invalid(code: ErrorCode, path: string, message: string): Fault {
  return fault(code, { message, violations: [{ path, code, message }] });
}
