import type { Failure } from '../traffic/traffic.ts';

/** A request sent this short a time before a kill may still have been in flight; answers take milliseconds. */
const IN_FLIGHT_MS = 1_000;

/**
 * Assigns failures to kills: to the last kill before the request was sent, or to the one during which it was in flight.
 * A request may fail long after it was sent, when the next victim is already gone.
 *
 * @param killedAt in order, by performance.now()
 * @returns a list for each kill; requests sent before the first kill are in none
 */
export function failuresByKill(
  failures: readonly Failure[],
  killedAt: readonly number[],
): readonly (readonly Failure[])[] {
  const causeOf = ({ sentAt, endedAt }: Failure): number =>
    killedAt.findLastIndex((at) => at <= endedAt && at - IN_FLIGHT_MS <= sentAt);
  return killedAt.map((_, index) => failures.filter((failure) => causeOf(failure) === index));
}
