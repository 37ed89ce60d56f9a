import { snowflakeTime } from '@gatehouse/kit/snowflake';
import type { Posted, Sighting } from './sighting.ts';
import { orderOfCommits, untold } from './untold.ts';

/** What all clients of the Gateway saw from a kill, or a restart, until the next. */
export interface Sights {
  /** How many connections ended how: `1006` → 120. */
  readonly closed: Readonly<Record<string, number>>;
  readonly failed_attempts: number;
  readonly resumed: number;
  readonly identified: number;
  /** Until the last was ready or had resumed; 0 where no connection ended. */
  readonly back_seconds: number;
  /** The longest time that a client was not told of any message. */
  readonly silent_seconds: number;
  /** The longest time from a message's ID, which is drawn just before its commit, until a client had it. */
  readonly slowest_seconds: number;
  /** Of the pairs of a client and a message. */
  readonly between: number;
  readonly missed: number;
  readonly doubled: number;
  /** Events whose `s` was not the next. */
  readonly out_of_turn: number;
}

/** What was posted so shortly before a kill may have been on its way. */
const UNDER_WAY_MS = 1_000;

/**
 * @param posted all messages that are stored
 * @param killedAt in order, by performance.now(); what was before the first is in none
 */
export function sightsOfKills(
  sightings: readonly Sighting[],
  posted: readonly Posted[],
  killedAt: readonly number[],
): Sights[] {
  const isUpTo = orderOfCommits(sightings);
  const judged = sightings.map((sighting) => untold(sighting, posted, isUpTo));
  const within = (index: number) => {
    const [from, to] = [killedAt[index] ?? 0, killedAt[index + 1] ?? Number.POSITIVE_INFINITY];
    const isIn = (at: number) => at >= from && at < to;
    const wasPosted = ({ id }: Posted) => isIn(postedAt(id) + UNDER_WAY_MS);
    return { from, isIn, wasPosted };
  };
  const waits = sightings.flatMap(waitsOf);

  return killedAt.map((_, index) => {
    const { from, isIn, wasPosted } = within(index);
    const ends = sightings.flatMap((one) => one.ends.filter(({ at }) => isIn(at)));
    const returns = sightings.flatMap((one) => one.returns.filter(({ at }) => isIn(at)));
    const events = waits.filter(({ at }) => isIn(at));
    return {
      closed: countedBy(ends.map(({ how }) => how)),
      failed_attempts: sum(sightings, ({ failed_attempts }) => failed_attempts.filter(isIn).length),
      resumed: returns.filter(({ how }) => how === 'resumed').length,
      identified: returns.filter(({ how }) => how === 'identified').length,
      back_seconds: seconds(highest(returns.map(({ at }) => at - from))),
      silent_seconds: seconds(highest(events.map(({ silent_ms }) => silent_ms))),
      slowest_seconds: seconds(highest(events.map(({ late_ms }) => late_ms))),
      between: sum(judged, ({ between }) => between.filter(wasPosted).length),
      missed: sum(judged, ({ missed }) => missed.filter(wasPosted).length),
      doubled: sum(judged, ({ doubled }) => doubled.filter(({ at }) => isIn(at)).length),
      out_of_turn: sum(sightings, ({ out_of_turn }) => out_of_turn.filter(isIn).length),
    };
  });
}

/** Whether every session was told of all, once and in turn. */
export function isWhole({ missed, doubled, out_of_turn }: Sights): boolean {
  return missed + doubled + out_of_turn === 0;
}

/** By performance.now(). */
const postedAt = (id: string): number => snowflakeTime(id) - performance.timeOrigin;

interface Wait {
  readonly at: number;
  readonly silent_ms: number;
  readonly late_ms: number;
}

function waitsOf({ lives }: Sighting): Wait[] {
  const told = lives.flatMap((life) => life.told);
  return told.map(({ id, at }, nth) => ({
    at,
    silent_ms: at - (told[nth - 1]?.at ?? at),
    late_ms: at - postedAt(id),
  }));
}

function countedBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const sum = <T>(all: readonly T[], count: (one: T) => number): number =>
  all.reduce((total, one) => total + count(one), 0);
// A spread of them all would be more arguments than a call may have.
const highest = (all: readonly number[]): number => all.reduce((most, one) => Math.max(most, one), 0);
const seconds = (ms: number): number => Math.round(ms / 100) / 10;
