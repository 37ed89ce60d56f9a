import { Fault, isOutage, Status } from '@gatehouse/kit/fault';
import { isOutdatedCheck } from '../errors.ts';
import { isMultipart } from '../execution/payload.ts';
import type { RefusedReason } from '../store/delivery.ts';

/**
 * Maps the error of an execution to a reason. Undefined if the sender cancelled, because the outcome is unknown, and if the
 * credential must be checked again, because the execution then starts over.
 */
export function refusedReason(
  error: unknown,
  content_type: string | null | undefined,
): RefusedReason | undefined {
  if (isOutdatedCheck(error)) return undefined;
  if (isOutage(error)) return 'unavailable';
  if (!(error instanceof Fault)) return 'failed';
  switch (error.status) {
    case Status.CANCELLED:
      return undefined;
    case Status.NOT_FOUND:
      return 'channel_gone';
    case Status.PERMISSION_DENIED:
      return error.reason === 'GUILD_DISABLED' ? 'guild_disabled' : 'failed';
    case Status.INVALID_ARGUMENT:
      return isMultipart(content_type) ? 'multipart' : bodyReason(error);
    default:
      return 'failed';
  }
}

function bodyReason({ reason, violations }: Fault): RefusedReason {
  // BAD_REQUEST: a chat tool's payload has nothing to show.
  if (reason === 'CANNOT_SEND_EMPTY_MESSAGE' || reason === 'BAD_REQUEST') return 'empty';
  if (violations.some(({ path }) => path === 'body')) return 'broken_body';
  return violations.some(({ code }) => LIMIT_CODE.test(code)) ? 'over_limits' : 'invalid';
}

/** Such as STRING_LENGTH_INVALID, CONTENT_EXCEEDS_MAX_LENGTH, TOO_MANY_EMBEDS. */
const LIMIT_CODE = /LENGTH|EXCEED|TOO_MANY/;
