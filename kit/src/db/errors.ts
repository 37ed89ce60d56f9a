import { deadlineExceeded, type Fault, unavailable } from '../fault.ts';

/** The database broke a unique rule; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!hasCode(error) || error.code !== '23505') return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}

/** A row refers to one that is not there, or is referred to. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error) && error.code === '23503';
}

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
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;
/** statement_timeout. */
const QUERY_CANCELED = '57014';

function isUnavailable(error: Error): boolean {
  const code = codeOf(error);
  return SOCKET_ERRORS.has(code) || SQLSTATE.test(code) || PG_MESSAGES.test(error.message);
}

/** The driver's code, which Prisma's errors keep in `meta`; empty without one. */
function codeOf(error: Error): string {
  const { code, meta } = error as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  const known = meta?.driverAdapterError?.cause?.originalCode ?? code;
  return typeof known === 'string' ? known : '';
}

function hasCode(error: unknown): error is Error & { code: string } {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string';
}
