import { snowflakeTime } from '@gatehouse/kit/snowflake';
import { countByName, toSeconds } from '../figures.ts';
import type { ClientLog, StoredMessage } from './client-log.ts';
import { commitOrder, missedEvents } from './missed-events.ts';

/** Observations of all clients of the Gateway from a kill or restart to the next one. */
export interface KillObservation {
  /** Ended connections by how they ended: `1006` → 120. */
  readonly closed: Readonly<Record<string, number>>;
  readonly failed_attempts: number;
  readonly resumed: number;
  readonly identified: number;
  /** Until the last client was ready or had resumed; 0 if no connection ended. */
  readonly back_seconds: number;
  /** The longest time between two messages that one client received. */
  readonly silent_seconds: number;
  /** The longest time from drawing a message's ID, just before its commit, to its arrival at a client. */
  readonly slowest_seconds: number;
  /** Pairs of a client and a message, as the next two: posted between two sessions of the client. */
  readonly between: number;
  readonly missed: number;
  readonly duplicates: number;
  /** Events whose `s` was not the next. */
  readonly out_of_order: number;
}

/** A message posted this short a time before a kill may still have been in flight. */
const IN_FLIGHT_MS = 1_000;

/**
 * @param stored all messages in chat's database
 * @param killedAt in order, by performance.now(); what happened before the first kill is in no observation
 */
export function killObservations(
  logs: readonly ClientLog[],
  stored: readonly StoredMessage[],
  killedAt: readonly number[],
): KillObservation[] {
  const isUpTo = commitOrder(logs);
  const comparisons = logs.map((log) => missedEvents(log, stored, isUpTo));
  const arrivals = logs.flatMap(arrivalsOf);

  return killedAt.map((from, index) => {
    const end = killedAt[index + 1] ?? Number.POSITIVE_INFINITY;
    const isIn = (at: number) => at >= from && at < end;
    const wasPosted = ({ id }: StoredMessage) => isIn(postedAt(id) + IN_FLIGHT_MS);
    const disconnects = logs.flatMap((log) => log.disconnects.filter(({ at }) => isIn(at)));
    const returns = logs.flatMap((log) => log.returns.filter(({ at }) => isIn(at)));
    const events = arrivals.filter(({ at }) => isIn(at));
    return {
      closed: countByName(disconnects.map(({ how }) => how)),
      failed_attempts: sum(logs, ({ failed_attempts }) => failed_attempts.filter(isIn).length),
      resumed: returns.filter(({ how }) => how === 'resumed').length,
      identified: returns.filter(({ how }) => how === 'identified').length,
      back_seconds: toSeconds(highest(returns.map(({ at }) => at - from))),
      silent_seconds: toSeconds(highest(events.map(({ silent_ms }) => silent_ms))),
      slowest_seconds: toSeconds(highest(events.map(({ late_ms }) => late_ms))),
      between: sum(comparisons, ({ between }) => between.filter(wasPosted).length),
      missed: sum(comparisons, ({ missed }) => missed.filter(wasPosted).length),
      duplicates: sum(comparisons, ({ duplicates }) => duplicates.filter(({ at }) => isIn(at)).length),
      out_of_order: sum(logs, ({ out_of_order }) => out_of_order.filter(isIn).length),
    };
  });
}

/** Whether every session received every event, once and in order. */
export function isComplete({ missed, duplicates, out_of_order }: KillObservation): boolean {
  return missed + duplicates + out_of_order === 0;
}

/** By performance.now(). */
const postedAt = (id: string): number => snowflakeTime(id) - performance.timeOrigin;

interface Arrival {
  readonly at: number;
  /** Since the message before. */
  readonly silent_ms: number;
  readonly late_ms: number;
}

function arrivalsOf({ sessions }: ClientLog): Arrival[] {
  const received = sessions.flatMap((session) => session.received);
  return received.map(({ id, at }, nth) => ({
    at,
    silent_ms: at - (received[nth - 1]?.at ?? at),
    late_ms: at - postedAt(id),
  }));
}

const sum = <T>(all: readonly T[], count: (one: T) => number): number =>
  all.reduce((total, one) => total + count(one), 0);
// Math.max(...all) would exceed the number of arguments that a call may have.
const highest = (all: readonly number[]): number => all.reduce((most, one) => Math.max(most, one), 0);
