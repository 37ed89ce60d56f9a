import { setTimeout as sleep } from 'node:timers/promises';
import { CloseCode } from '../connections/connection.ts';
import type { Dispatch } from '../connections/dispatch.ts';
import type { Position } from '../following/event-receiver.ts';
import type { Session } from './session.ts';

/** Reads events of the log again, as the session was told them. Undefined: one has left the log. */
export type FetchEvents = (
  session: Session,
  ids: readonly number[],
) => Promise<readonly Dispatch[] | undefined>;

/** So many events are read again at a time, at most: with the longest messages they take 12 MiB. */
const PAGE = 64;
/** What waits for a client is first taken to here. */
const LOW_WATER_BYTES = 256 * 1024;
const LOOK_EVERY_MS = 10;
/** A client that has not taken so little by then does not read. */
const STALLED_MS = 120_000;

/**
 * Sends a session what it was told after `seq`, and then has it told of events as they come. What is sent waits for the
 * client, so that a client that is slow to read is not cut off for it, nor for what comes meanwhile.
 *
 * @param finish called when all has been sent: what it tells the session is sent too
 * @returns false if something could not be had again; true also if the connection has ended meanwhile
 */
export async function replay(
  session: Session,
  seq: number,
  fetchEvents: FetchEvents,
  finish: () => void = () => undefined,
): Promise<boolean> {
  const { connection } = session;
  const isOurs = (): boolean => connection !== undefined && session.connection === connection;
  session.sent = seq;
  let isFinished = false;
  let size = PAGE;
  while ((await hasRoom()) && isOurs()) {
    const page = nextPage(session, session.sent, size);
    if (page?.length === 0) {
      // Without a pause: what is told from here on is sent at once.
      session.is_live = isFinished;
      if (isFinished) return true;
      isFinished = true;
      finish();
      continue;
    }
    const dispatches = page && (await dispatchesOf(session, page, fetchEvents));
    if (dispatches === undefined) return false;
    const sent = isOurs() ? send(dispatches) : 0;
    size = sent < dispatches.length ? Math.max(sent, 1) : Math.min(size * 2, PAGE);
  }
  return true;

  /**
   * Sends until the connection is full, and returns how many were sent. The others are dropped and read again later, so
   * that a client that does not read holds no memory here.
   */
  function send(dispatches: readonly Dispatch[]): number {
    let count = 0;
    for (const dispatch of dispatches) {
      if (isFull()) break;
      session.sent++;
      session.most_sent = Math.max(session.most_sent, session.sent);
      connection?.dispatch(session.sent, dispatch);
      count++;
    }
    return count;
  }

  function isFull(): boolean {
    return (connection?.waitingBytes() ?? 0) > LOW_WATER_BYTES;
  }

  /**
   * Waits until the client has taken most of what was sent. False: the connection has ended. Whoever waits for it looks
   * again: another connection may have taken the session over since.
   */
  async function hasRoom(): Promise<boolean> {
    const stalled_ms = performance.now() + STALLED_MS;
    while (isOurs() && isFull()) {
      if (performance.now() > stalled_ms) connection?.close(CloseCode.UNKNOWN_ERROR);
      await sleep(LOOK_EVERY_MS);
    }
    return isOurs();
  }
}

/** The next positions, `size` of them at most. Undefined: the first of them is forgotten. */
function nextPage({ positions }: Session, sent: number, size: number): Position[] | undefined {
  const page: Position[] = [];
  const end = Math.min(positions.last(), sent + size);
  for (let seq = sent + 1; seq <= end; seq++) {
    const position = positions.get(seq);
    if (position === undefined) return undefined;
    page.push(position);
    if (typeof position !== 'number' && position.rest.length > LOW_WATER_BYTES) break;
  }
  return page;
}

async function dispatchesOf(
  session: Session,
  page: readonly Position[],
  fetchEvents: FetchEvents,
): Promise<readonly Dispatch[] | undefined> {
  const ids = page.filter((position) => typeof position === 'number');
  const read = ids.length === 0 ? [] : await fetchEvents(session, ids);
  if (read === undefined) return undefined;
  const next = read.values();
  const dispatches = page.map((position) => (typeof position === 'number' ? next.next().value : position));
  return dispatches.filter((dispatch) => dispatch !== undefined);
}
