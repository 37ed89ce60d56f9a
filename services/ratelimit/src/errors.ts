import { Fault, faultsOf, unavailable } from '@gatehouse/kit/fault';
import { ERRORS, type ErrorCode } from '@gatehouse/proto/errors';

const fault = faultsOf(ERRORS);

/**
 * These errors are mistakes of the calling service and not of its client, so none has a reason that the edge would turn into
 * a 4xx. None repeats an identity. The path of a violation is relative to the part of the request that is being read;
 * `withPathPrefix` adds the path of that part.
 */

export function tooManyChecks(max: number): Fault {
  return invalid('TOO_MANY_CHECKS', 'checks', `A request has at most ${max} checks.`);
}

export function duplicateTag(): Fault {
  return invalid('DUPLICATE_TAG', 'tag', 'The tag is that of another open check of this stream.');
}

export function tooManySets(max: number): Fault {
  return invalid('TOO_MANY_SETS', 'sets', `A check has at most ${max} sets.`);
}

export function tooManyCharges(max: number): Fault {
  return invalid('TOO_MANY_CHARGES', 'charges', `A set has at most ${max} charges.`);
}

export function unknownBucket(): Fault {
  return invalid('UNKNOWN_BUCKET', 'bucket', 'The bucket reference has no such bucket.');
}

export function wrongIdentities(bucket: string, key: readonly string[]): Fault {
  const text = `Bucket ${bucket} has an identity for each of: ${key.join(', ')}.`;
  return invalid('WRONG_IDENTITIES', 'identities', text);
}

export function badIdentity(path: string, maxBytes: number): Fault {
  return invalid('BAD_IDENTITY', path, `An identity has 1 to ${maxBytes} bytes.`);
}

export function badCost(bucket: string, limit: number): Fault {
  return invalid('BAD_COST', 'cost', `A set charges bucket ${bucket} 1 to ${limit} tokens.`);
}

export function badLeaseId(bucket: string, maxBytes: number): Fault {
  const text = `A charge of bucket ${bucket}, a concurrency limit, has a lease ID of 1 to ${maxBytes} bytes.`;
  return invalid('BAD_LEASE_ID', 'lease_id', text);
}

export function noLeases(bucket: string): Fault {
  return invalid('BAD_LEASE_ID', 'lease_id', `Bucket ${bucket} is no concurrency limit, and has no leases.`);
}

export function badId(path: string, maxBytes: number): Fault {
  return invalid('BAD_IDENTITY', path, `An ID has 1 to ${maxBytes} bytes.`);
}

export function badInterval(min: number, max: number): Fault {
  return invalid('BAD_INTERVAL', 'interval_seconds', `An interval has ${min} to ${max} seconds.`);
}

export function badFields(): Fault {
  return invalid('BAD_FIELDS', 'fields', 'A request names each changed field once, and at least one.');
}

export function badOverride(path: string, message: string): Fault {
  return invalid('BAD_OVERRIDE', path, message);
}

export function badPage(path: string, message: string): Fault {
  return invalid('BAD_PAGE', path, message);
}

export function tooManyOverrides(): Fault {
  return fault('TOO_MANY_OVERRIDES');
}

/** A change would drop overrides that this replica cannot read. */
export function unreadableOverrides(): Fault {
  return fault('UNREADABLE_OVERRIDES');
}

/** The store does not answer, and the call needs it. */
export function storeUnavailable(cause?: unknown): Fault {
  return unavailable(cause ?? new Error('the store does not answer'));
}

/** Prefixes the paths of a fault's violations. Other errors stay as they are. */
export function withPathPrefix(error: unknown, prefix: string): unknown {
  if (!(error instanceof Fault) || error.violations.length === 0) return error;
  const { status, reason, message, violations } = error;
  return new Fault({
    status,
    reason,
    message,
    violations: violations.map((violation) => ({ ...violation, path: `${prefix}.${violation.path}` })),
  });
}

/** A fault with one violation, of the same code and text. */
export function invalid(code: ErrorCode, path: string, message: string): Fault {
  return fault(code, { message, violations: [{ path, code, message }] });
}
