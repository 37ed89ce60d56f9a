import { deadlineExceeded, Fault, unavailable } from '@gatehouse/kit/fault';
import { TooLate } from '../deadline.ts';

/** What a failure of Redis or of the way to it is to callers. */
export function storeFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return error instanceof TooLate ? deadlineExceeded(error) : unavailable(error);
}
