import type { Life, Posted, Sighting, Told } from './sighting.ts';

/** What a client was not told of, or more than once. */
export interface Untold {
  /** In the midst of a session, which must not be. */
  readonly missed: readonly Posted[];
  /** Between two sessions: the first was lost with its replica, and the second began later. */
  readonly between: readonly Posted[];
  /** A second time in the same session. */
  readonly doubled: readonly Told[];
}

/** Whether the first of two messages of a channel was committed before the second, or is it. */
export type IsUpTo = (message_id: string, last: string) => boolean;

/** Compares what a client was told with what was posted. */
export function untold({ channels, lives }: Sighting, posted: readonly Posted[], isUpTo: IsUpTo): Untold {
  const told = new Set(lives.flatMap((life) => life.told.map(({ id }) => id)));
  const own = new Set(channels);
  const [first] = lives;
  const missed: Posted[] = [];
  const between: Posted[] = [];
  for (const message of posted) {
    if (!own.has(message.channel_id) || told.has(message.id)) continue;
    if (first === undefined || !isAfter(message, first)) continue;
    const isBetween = lives.some((life, nth) => {
      const next = lives[nth + 1];
      if (next === undefined || !isAfter(message, life) || isAfter(message, next)) return false;
      return !isPassed(message, life, isUpTo);
    });
    (isBetween ? between : missed).push(message);
  }
  return { missed, between, doubled: lives.flatMap(({ told }) => repeated(told)) };
}

/** Newer than what the session began with. */
function isAfter({ id, channel_id }: Posted, { after }: Life): boolean {
  return BigInt(id) > BigInt(after.get(channel_id) ?? 0);
}

/** Whether the session, which was not told of it, was told of a later one. */
function isPassed(message: Posted, life: Life, isUpTo: IsUpTo): boolean {
  const last = life.told.findLast(({ channel_id }) => channel_id === message.channel_id);
  return last !== undefined && isUpTo(message.id, last.id);
}

function repeated(told: readonly Told[]): Told[] {
  const before = new Set<string>();
  return told.filter(({ id }) => {
    const isRepeated = before.has(id);
    before.add(id);
    return isRepeated;
  });
}

/**
 * The order of commits, as all clients together were told: IDs are drawn before. What nobody was told of is compared by ID.
 */
export function orderOfCommits(sightings: readonly Sighting[]): IsUpTo {
  const all = sightings.flatMap(({ lives }) => lives.flatMap(({ told }) => told));
  const places = new Map<string, number>();
  for (const { id, at } of all.sort((one, other) => one.at - other.at))
    if (!places.has(id)) places.set(id, at);
  return (id, last) => {
    const [place, end] = [places.get(id), places.get(last)];
    return place === undefined || end === undefined ? BigInt(id) <= BigInt(last) : place <= end;
  };
}
