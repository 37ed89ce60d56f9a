import { deadlineExceeded, type Fault, unavailable } from '../fault.ts';

/** The database refused what would break a unique rule, of pg or of Prisma; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || codeOf(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || constraintOf(error) === constraint;
}

/** A row refers to one that is not there, or is referred to. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '23503';
}

const UNIQUE_VIOLATION = '23505';

/**
 * The fault that a database error stands for, if it is that the database cannot be reached, has no
 * room, or took longer than a statement may; anything else is a mistake of ours, and no fault.
 */
export function databaseFault(error: unknown): Fault | undefined {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    if (isUnavailable(cause)) return unavailable(error);
    if (codeOf(cause) === QUERY_CANCELED) return deadlineExceeded(error);
    cause = cause.cause;
  }
  return undefined;
}

/** An error may be its own cause. */
const MAX_CAUSES = 8;
const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOENT',
  // What Prisma makes of those: not reachable, timed out, closed.
  'P1001',
  'P1008',
  'P1017',
]);
/** Connection exceptions, shutdown, too many connections, an idle transaction's end (PostgreSQL, appendix A). */
const SQLSTATE = /^(?:08...|57P0[1-5]|53[0-9A-Z]{3}|25P03)$/;
/** What pg itself says without a code. */
const PG_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;
/** statement_timeout. */
const QUERY_CANCELED = '57014';

function isUnavailable(error: Error): boolean {
  const code = codeOf(error);
  return SOCKET_ERRORS.has(code) || SQLSTATE.test(code) || PG_MESSAGES.test(error.message);
}

/** The driver's code; empty without one. */
function codeOf(error: Error): string {
  const known = throughPrisma(error)?.originalCode ?? (error as { code?: unknown }).code;
  return typeof known === 'string' ? known : '';
}

function constraintOf(error: Error): unknown {
  return throughPrisma(error)?.constraint?.index ?? (error as { constraint?: unknown }).constraint;
}

/** What the driver said, which Prisma's errors keep in `meta`. */
function throughPrisma(error: Error): DriverError | undefined {
  return (error as { meta?: { driverAdapterError?: { cause?: DriverError } } }).meta?.driverAdapterError
    ?.cause;
}

interface DriverError {
  readonly originalCode?: unknown;
  readonly constraint?: { readonly index?: unknown };
}
