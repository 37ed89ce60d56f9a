import { deadlineExceeded } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';

/** What a commit and the way back to the caller may take. */
const ANSWER_MS = 1_000;

/**
 * The last step of a transaction that must not be committed behind the caller's back: somebody waits for the answer, and
 * will wait for as long as it takes.
 *
 * @throws GATEWAY_TIMEOUT
 */
export function requireTimeToAnswer({ due_ms, signal }: Pick<Call, 'due_ms' | 'signal'>): void {
  if (signal.aborted || due_ms - performance.now() < ANSWER_MS) throw deadlineExceeded();
}
