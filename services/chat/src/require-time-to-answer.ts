import { deadlineExceeded } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';

/** Time for the commit and the response. */
const ANSWER_MS = 1_000;

/**
 * Call it last in a transaction that must not commit after its caller has given up, because the caller's own change
 * depends on the answer.
 *
 * @throws GATEWAY_TIMEOUT
 */
export function requireTimeToAnswer({ due_ms, signal }: Pick<Call, 'due_ms' | 'signal'>): void {
  if (signal.aborted || due_ms - performance.now() < ANSWER_MS) throw deadlineExceeded();
}
