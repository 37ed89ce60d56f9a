import type { Failure } from '../traffic/traffic.ts';

/** Requests that were sent so shortly before a kill may have been on their way; answers take milliseconds. */
const UNDER_WAY_MS = 1_000;

/**
 * Which failures came of which kill: of the last before they were sent, or with which they were under way. A request may
 * fail long after it was sent, when the next victim is already gone.
 *
 * @param killedAt in order, by performance.now()
 * @returns as many lists as kills; what was sent before the first is in none
 */
export function failuresOfKills(
  failures: readonly Failure[],
  killedAt: readonly number[],
): readonly (readonly Failure[])[] {
  const causeOf = ({ sentAt, endedAt }: Failure): number =>
    killedAt.findLastIndex((at) => at <= endedAt && at - UNDER_WAY_MS <= sentAt);
  return killedAt.map((_, index) => failures.filter((failure) => causeOf(failure) === index));
}
