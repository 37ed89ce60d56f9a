import { setTimeout as sleep } from 'node:timers/promises';
import { CloseCode, type Connection } from '../connections/connection.ts';
import type { Dispatch } from '../connections/dispatch.ts';
import type { ReplayEntry } from '../following/event-receiver.ts';
import type { Session } from './session.ts';

/** Reads events of the log again, as the session received them; undefined if one has left the log. */
export type FetchEvents = (
  session: Session,
  ids: readonly number[],
) => Promise<readonly Dispatch[] | undefined>;

/** Maximum events read at a time. With the longest messages they take 12 MiB. */
const PAGE_LENGTH = 64;
/** Replay continues when the client has read all but this much. */
const LOW_WATER_BYTES = 256 * 1024;
const CHECK_ROOM_EVERY_MS = 10;
/** A client that takes longer to read down to the low-water mark counts as one that does not read. */
export const STALLED_MS = 120_000;

/**
 * Sends a session's events after `seq`, and then makes it live. It waits for a slow client, so that the client is cut off
 * neither for the replayed events nor for those that come meanwhile.
 *
 * @param onCaughtUp called when all events are sent; events that the session receives in it are sent too
 * @returns false if an event cannot be replayed; true also if the connection has ended meanwhile
 */
export async function replay(
  session: Session,
  seq: number,
  fetchEvents: FetchEvents,
  onCaughtUp: () => void = () => undefined,
): Promise<boolean> {
  return await new Replay({ session, fetchEvents }).run(seq, onCaughtUp);
}

class Replay {
  readonly #session: Session;
  readonly #connection: Connection | undefined;
  readonly #fetchEvents: FetchEvents;
  #pageSize = PAGE_LENGTH;

  constructor({ session, fetchEvents }: { session: Session; fetchEvents: FetchEvents }) {
    this.#session = session;
    this.#connection = session.connection;
    this.#fetchEvents = fetchEvents;
  }

  async run(seq: number, onCaughtUp: () => void): Promise<boolean> {
    const session = this.#session;
    session.sent = seq;
    let isCaughtUp = false;
    while ((await this.#waitForRoom()) && this.#isCurrent()) {
      const page = nextPage(session, this.#pageSize);
      if (page?.length === 0) {
        // Synchronous, so that the next event is sent at once.
        session.is_live = isCaughtUp;
        if (isCaughtUp) return true;
        isCaughtUp = true;
        onCaughtUp();
        continue;
      }
      const dispatches = page && (await this.#dispatchesOf(page));
      if (dispatches === undefined) return false;
      const sent = this.#isCurrent() ? this.#send(dispatches) : 0;
      const isFull = sent < dispatches.length;
      this.#pageSize = isFull ? Math.max(sent, 1) : Math.min(this.#pageSize * 2, PAGE_LENGTH);
    }
    return true;
  }

  /** False once another connection has taken over the session. */
  #isCurrent(): boolean {
    return this.#connection !== undefined && this.#session.connection === this.#connection;
  }

  /**
   * Sends until the connection is full, and returns the number of sent events. The rest is read again later, so that a client
   * that does not read takes no memory.
   */
  #send(dispatches: readonly Dispatch[]): number {
    const session = this.#session;
    let count = 0;
    for (const dispatch of dispatches) {
      if (this.#isFull()) break;
      session.sent++;
      session.highest_sent = Math.max(session.highest_sent, session.sent);
      this.#connection?.dispatch(session.sent, dispatch);
      count++;
    }
    return count;
  }

  #isFull(): boolean {
    return (this.#connection?.waitingBytes() ?? 0) > LOW_WATER_BYTES;
  }

  /** Waits until the client has read down to the low-water mark; false if the connection has ended. */
  async #waitForRoom(): Promise<boolean> {
    const stalledAt_ms = performance.now() + STALLED_MS;
    while (this.#isCurrent() && this.#isFull()) {
      if (performance.now() > stalledAt_ms) this.#connection?.close(CloseCode.UNKNOWN_ERROR);
      await sleep(CHECK_ROOM_EVERY_MS);
    }
    return this.#isCurrent();
  }

  async #dispatchesOf(page: readonly ReplayEntry[]): Promise<readonly Dispatch[] | undefined> {
    const ids = page.filter((entry) => typeof entry === 'number');
    const fetched = ids.length === 0 ? [] : await this.#fetchEvents(this.#session, ids);
    if (fetched === undefined) return undefined;
    const next = fetched.values();
    const dispatches = page.map((entry) => (typeof entry === 'number' ? next.next().value : entry));
    return dispatches.filter((dispatch) => dispatch !== undefined);
  }
}

/** The next entries, `size` at most. A long kept dispatch ends the page. Undefined if the first entry is forgotten. */
function nextPage({ buffer, sent }: Session, size: number): ReplayEntry[] | undefined {
  const page: ReplayEntry[] = [];
  const end = Math.min(buffer.last(), sent + size);
  for (let seq = sent + 1; seq <= end; seq++) {
    const entry = buffer.get(seq);
    if (entry === undefined) return undefined;
    page.push(entry);
    if (typeof entry !== 'number' && entry.rest.length > LOW_WATER_BYTES) break;
  }
  return page;
}
