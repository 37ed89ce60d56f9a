import type { Dispatch } from '../connections/dispatch.ts';
import type { ReplayEntry } from '../following/event-receiver.ts';
import type { KeptDispatches } from './kept-dispatches.ts';

export interface ReplayBufferOptions {
  /** Maximum entries of a session. Beyond it the oldest make room. */
  readonly max_positions: number;
  /** Counts the kept dispatches of all buffers. */
  readonly kept: KeptDispatches;
}

const MIN_LENGTH = 8;
/** Marks an entry that is a kept dispatch. */
const KEPT = -1;

/** A session's events by `s`, for a resume. An event of the log takes eight bytes, in a ring. */
export class ReplayBuffer {
  readonly #max_entries: number;
  readonly #allKept: KeptDispatches;
  readonly #kept = new Map<number, Dispatch>();
  #ring = new Float64Array(MIN_LENGTH);
  #keptBytes = 0;
  #first: number;
  #next: number;

  /** @param last the `s` before the first entry */
  constructor({ max_positions, kept }: ReplayBufferOptions, last = 0) {
    this.#max_entries = max_positions;
    this.#allKept = kept;
    this.#first = last + 1;
    this.#next = this.#first;
  }

  /** Adds the event with the next `s`. */
  push(entry: ReplayEntry): void {
    if (this.#next - this.#first >= this.#max_entries) this.forget(this.#first);
    if (this.#next - this.#first === this.#ring.length) this.#resize(this.#ring.length * 2);
    this.#ring[this.#next % this.#ring.length] = typeof entry === 'number' ? entry : KEPT;
    if (typeof entry !== 'number') this.#keep(entry);
    this.#next++;
  }

  /** Undefined for an `s` that is forgotten or not yet used. */
  get(seq: number): ReplayEntry | undefined {
    if (seq < this.#first || seq >= this.#next) return undefined;
    const id = this.#ring[seq % this.#ring.length] ?? 0;
    return id === KEPT ? this.#kept.get(seq) : id;
  }

  /** The lowest remembered `s`; one more than the last if none is remembered. */
  first(): number {
    return this.#first;
  }

  last(): number {
    return this.#next - 1;
  }

  /** Forgets all entries up to this `s`. */
  forget(seq: number): void {
    const end = Math.min(seq + 1, this.#next);
    for (; this.#first < end; this.#first++)
      if (this.#ring[this.#first % this.#ring.length] === KEPT) this.#drop(this.#first);
    if (this.#ring.length > MIN_LENGTH && this.#next - this.#first < this.#ring.length / 8)
      this.#resize(this.#ring.length / 4);
  }

  /** The bytes of the session's kept dispatches. */
  keptBytes(): number {
    return this.#keptBytes;
  }

  /** Forgets all entries up to the last kept dispatch whose `s` is at most this one. */
  forgetKept(seq: number): void {
    this.forget([...this.#kept.keys()].findLast((kept) => kept <= seq) ?? 0);
  }

  #keep(dispatch: Dispatch): void {
    this.#kept.set(this.#next, dispatch);
    this.#keptBytes += dispatch.rest.length;
    this.#allKept.add(dispatch);
  }

  #drop(seq: number): void {
    const dispatch = this.#kept.get(seq);
    if (dispatch === undefined) return;
    this.#kept.delete(seq);
    this.#keptBytes -= dispatch.rest.length;
    this.#allKept.remove(dispatch);
  }

  #resize(length: number): void {
    const size = Math.max(MIN_LENGTH, length);
    if (size <= this.#next - this.#first) return;
    const ring = new Float64Array(size);
    for (let seq = this.#first; seq < this.#next; seq++)
      ring[seq % size] = this.#ring[seq % this.#ring.length] ?? 0;
    this.#ring = ring;
  }
}
