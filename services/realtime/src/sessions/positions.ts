import type { Dispatch } from '../connections/dispatch.ts';
import type { Position } from '../following/event-receiver.ts';
import type { KeptTexts } from './kept-texts.ts';

/** What a session was told, by `s`, as far as it can be told again. */
export interface Positions {
  /** Of the next `s`. */
  push(position: Position): void;
  /** Undefined: it is forgotten, or was never sent. */
  get(seq: number): Position | undefined;
  /** The lowest `s` that is still known; one more than the last if none is. */
  first(): number;
  /** The last `s`. */
  last(): number;
  /** Forgets all up to this `s`. */
  forget(seq: number): void;
  /** The bytes of those that are kept as they were sent. */
  textBytes(): number;
  /** Forgets all up to the last that is kept as it was sent, and is not after this `s`. */
  forgetTexts(seq: number): void;
}

const SMALLEST = 8;
/** Stands for an event that is kept as it was sent. */
const KEPT = -1;

/** How positions are kept. */
export interface Keeping {
  readonly max_positions: number;
  /** What is kept as it was sent is counted there too. */
  readonly texts: KeptTexts;
}

/**
 * Events of the log take eight bytes each, in a ring. At most `max_positions` are kept: the oldest make room.
 *
 * @param last the `s` before the first that is pushed
 */
export function positions({ max_positions, texts }: Keeping, last = 0): Positions {
  let ring = new Float64Array(SMALLEST);
  const kept = new Map<number, Dispatch>();
  let textBytes = 0;
  let first = last + 1;
  let next = first;

  function keep(dispatch: Dispatch): void {
    kept.set(next, dispatch);
    textBytes += dispatch.rest.length;
    texts.add(dispatch);
  }

  function drop(seq: number): void {
    const dispatch = kept.get(seq);
    if (dispatch === undefined) return;
    kept.delete(seq);
    textBytes -= dispatch.rest.length;
    texts.remove(dispatch);
  }

  function forget(seq: number): void {
    const end = Math.min(seq + 1, next);
    for (; first < end; first++) if (ring[first % ring.length] === KEPT) drop(first);
    if (ring.length > SMALLEST && next - first < ring.length / 8) resize(ring.length / 4);
  }

  function resize(length: number): void {
    const size = Math.max(SMALLEST, length);
    if (size <= next - first) return;
    const larger = new Float64Array(size);
    for (let seq = first; seq < next; seq++) larger[seq % size] = ring[seq % ring.length] ?? 0;
    ring = larger;
  }

  return {
    push: (position) => {
      if (next - first >= max_positions) forget(first);
      if (next - first === ring.length) resize(ring.length * 2);
      ring[next % ring.length] = typeof position === 'number' ? position : KEPT;
      if (typeof position !== 'number') keep(position);
      next++;
    },
    get: (seq) => {
      if (seq < first || seq >= next) return undefined;
      const id = ring[seq % ring.length] ?? 0;
      return id === KEPT ? kept.get(seq) : id;
    },
    first: () => first,
    last: () => next - 1,
    forget,
    textBytes: () => textBytes,
    forgetTexts: (seq) => forget([...kept.keys()].findLast((of) => of <= seq) ?? 0),
  };
}
