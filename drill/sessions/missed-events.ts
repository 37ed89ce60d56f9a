import type { ClientLog, ReceivedMessage, SessionLog, StoredMessage } from './client-log.ts';

/** Messages whose events a client did not receive, or received more than once. */
export interface MissedEvents {
  /** Missed during a session, which must not happen. */
  readonly missed: readonly StoredMessage[];
  /** Posted between two sessions: the first was lost with its replica, and the second began later. */
  readonly between: readonly StoredMessage[];
  /** Received again in the same session. */
  readonly duplicates: readonly ReceivedMessage[];
}

/** Whether a message of a channel was committed before another one, or is that one. */
export type IsUpTo = (message_id: string, last: string) => boolean;

/** Compares the events that a client received with the stored messages. */
export function missedEvents(
  { channels, sessions }: ClientLog,
  stored: readonly StoredMessage[],
  isUpTo: IsUpTo,
): MissedEvents {
  const received = new Set(sessions.flatMap((session) => session.received.map(({ id }) => id)));
  const own = new Set(channels);
  const [first] = sessions;
  const missed: StoredMessage[] = [];
  const between: StoredMessage[] = [];
  for (const message of stored) {
    if (!own.has(message.channel_id) || received.has(message.id)) continue;
    if (first === undefined || !isAfterStart(message, first)) continue;
    (isBetweenSessions(message, sessions, isUpTo) ? between : missed).push(message);
  }
  return { missed, between, duplicates: sessions.flatMap((session) => repeated(session.received)) };
}

function isBetweenSessions(message: StoredMessage, sessions: readonly SessionLog[], isUpTo: IsUpTo): boolean {
  return sessions.some((session, nth) => {
    const next = sessions[nth + 1];
    if (next === undefined || !isAfterStart(message, session) || isAfterStart(message, next)) return false;
    return !hasPassed(session, message, isUpTo);
  });
}

function isAfterStart({ id, channel_id }: StoredMessage, { after }: SessionLog): boolean {
  return BigInt(id) > BigInt(after.get(channel_id) ?? 0);
}

/** Whether the session, which did not receive the message, received a later one. */
function hasPassed(session: SessionLog, message: StoredMessage, isUpTo: IsUpTo): boolean {
  const last = session.received.findLast(({ channel_id }) => channel_id === message.channel_id);
  return last !== undefined && isUpTo(message.id, last.id);
}

function repeated(received: readonly ReceivedMessage[]): ReceivedMessage[] {
  const before = new Set<string>();
  return received.filter(({ id }) => {
    const isRepeated = before.has(id);
    before.add(id);
    return isRepeated;
  });
}

/**
 * The order of commits, taken from the arrivals at all clients together. IDs do not give it, because they are drawn
 * before the commit. Messages that no client received are compared by ID.
 */
export function commitOrder(logs: readonly ClientLog[]): IsUpTo {
  const all = logs.flatMap(({ sessions }) => sessions.flatMap(({ received }) => received));
  const arrivals = new Map<string, number>();
  for (const { id, at } of all.sort((one, other) => one.at - other.at))
    if (!arrivals.has(id)) arrivals.set(id, at);
  return (id, last) => {
    const [arrival, end] = [arrivals.get(id), arrivals.get(last)];
    return arrival === undefined || end === undefined ? BigInt(id) <= BigInt(last) : arrival <= end;
  };
}
