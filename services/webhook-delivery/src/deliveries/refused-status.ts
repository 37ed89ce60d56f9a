import { Fault, isOutage, Status } from '@gatehouse/kit/fault';

/** The HTTP status that the sender of a refused execution gets (docs/errors.md). */
export function refusedStatus(error: unknown): number {
  if (!(error instanceof Fault)) return 500;
  if (isOutage(error)) return error.status === Status.DEADLINE_EXCEEDED ? 504 : 503;
  switch (error.status) {
    case Status.INVALID_ARGUMENT:
      return 400;
    case Status.PERMISSION_DENIED:
      return 403;
    case Status.NOT_FOUND:
      return 404;
    default:
      return 500;
  }
}
