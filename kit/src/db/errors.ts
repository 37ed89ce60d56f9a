import { deadlineExceeded, type Fault, unavailable } from '../fault.ts';
import { failureOf } from './sqlstate.ts';

/** Whether the database refused a row for a unique constraint, through pg or Prisma; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || driverCodeOf(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || constraintOf(error) === constraint;
}

/** Whether a foreign key was violated. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof Error && driverCodeOf(error) === '23503';
}

const UNIQUE_VIOLATION = '23505';

/**
 * Returns the fault for a database that cannot be reached, has no room, or exceeded the statement timeout. Undefined
 * for any other error, which is a bug.
 */
export function databaseFault(error: unknown): Fault | undefined {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    const failure = failureOf(driverCodeOf(cause));
    if (failure === 'unavailable' || isUnreachable(cause)) return unavailable(error);
    if (failure === 'too_late') return deadlineExceeded(error);
    cause = cause.cause;
  }
  return undefined;
}

/** An error may be its own cause. */
const MAX_CAUSES = 8;
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'ENOENT',
  'EACCES',
  // This process is out of file descriptors.
  'EMFILE',
  'ENFILE',
  // Prisma's codes where it does not keep the driver's: login refused, not reachable, no such database, timed out,
  // denied, TLS, closed.
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  // Conflict; no connection left.
  'P2034',
  'P2037',
]);
/** Messages of pg that have no code. */
const PG_MESSAGES =
  /^(?:Connection terminated|timeout e(?:xceeded when trying to connect|xpired)|Client has encountered a connection error|Client was closed|Query read timeout|The server does not support SSL connections|There was an error establishing an SSL connection)/;
/** Codes of Node's TLS: a certificate that expired or is not trusted. */
const TLS = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_)/;

function isUnreachable(error: Error): boolean {
  const code = driverCodeOf(error);
  return UNREACHABLE.has(code) || TLS.test(code) || PG_MESSAGES.test(error.message);
}

/** The driver's code; empty if there is none. */
function driverCodeOf(error: Error): string {
  const known = driverErrorOf(error)?.originalCode ?? (error as { code?: unknown }).code;
  return typeof known === 'string' ? known : '';
}

function constraintOf(error: Error): unknown {
  return driverErrorOf(error)?.constraint?.index ?? (error as { constraint?: unknown }).constraint;
}

/** The driver's error, which Prisma's errors keep in `meta`. */
function driverErrorOf(error: Error): DriverError | undefined {
  return (error as { meta?: { driverAdapterError?: { cause?: DriverError } } }).meta?.driverAdapterError
    ?.cause;
}

interface DriverError {
  readonly originalCode?: unknown;
  readonly constraint?: { readonly index?: unknown };
}
