import { deadlineExceeded, Fault } from '@gatehouse/kit/fault';
import type { BidiResponses, BidiSession } from '@gatehouse/kit/rpc';
import { faultStatus } from '@gatehouse/kit/rpc/messages/fault-wire';
import type { CheckRequest, CheckResponse } from '@gatehouse/proto/ratelimit';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { duplicateTag } from '../errors.ts';
import type { Verdict } from '../stores/verdict.ts';
import { withdraw } from '../withdrawn.ts';
import type { ChargeReader } from './charge-reader.ts';
import type { Decider } from './decider.ts';
import { checkResponse } from './messages.ts';

export const MAX_OPEN_CHECKS = 1024;
/** The longest time of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface CheckSessionOptions {
  readonly charges: ChargeReader;
  readonly decider: Pick<Decider, 'decideMany'>;
  readonly responses: BidiResponses<CheckResponse>;
}

interface OpenCheck {
  readonly tag: CheckRequest['tag'];
  readonly check: Check;
  /** By performance.now(); Infinity without a deadline. */
  readonly due_ms: number;
}

/**
 * The checks of one CheckStream. Checks that arrive together are decided together. An absent tag counts as 0.
 */
export class CheckSession implements BidiSession<CheckRequest> {
  readonly #charges: ChargeReader;
  readonly #decider: Pick<Decider, 'decideMany'>;
  readonly #responses: BidiResponses<CheckResponse>;
  /** The checks that have no response yet, by tag. */
  readonly #open = new Map<number, OpenCheck>();
  /** Checks without a decision. Those that were cancelled, or are too late, count until then. */
  #undecided = 0;
  #finishing = false;
  #closed = false;
  /** One timer for all deadlines. */
  #timer: NodeJS.Timeout | undefined;
  /** The time for which `#timer` is set. */
  #timer_ms = Number.POSITIVE_INFINITY;

  constructor({ charges, decider, responses }: CheckSessionOptions) {
    this.#charges = charges;
    this.#decider = decider;
    this.#responses = responses;
  }

  /** Number of open checks. */
  get size(): number {
    return this.#open.size;
  }

  room(): number {
    return MAX_OPEN_CHECKS - this.#undecided;
  }

  receive(requests: readonly CheckRequest[]): void {
    const now_ms = performance.now();
    const added: OpenCheck[] = [];
    for (const request of requests) {
      if (request.cancel === true) this.#drop(request.tag ?? 0);
      else this.#add(request, now_ms, added);
    }
    this.#decide(added.filter((open) => this.#isOpen(open)));
  }

  finish(): void {
    this.#finishing = true;
    this.#endIfDone();
  }

  /** The stream has ended: nothing is sent any more. */
  close(): void {
    this.#closed = true;
    for (const key of this.#open.keys()) this.#drop(key);
    clearTimeout(this.#timer);
  }

  #add({ tag, sets, timeout_ms }: CheckRequest, now_ms: number, added: OpenCheck[]): void {
    try {
      if (this.#open.has(tag ?? 0)) throw duplicateTag();
      const due_ms = now_ms + (timeout_ms ?? Number.POSITIVE_INFINITY);
      const open = { tag, check: this.#charges.check(sets), due_ms };
      if (due_ms <= now_ms) throw deadlineExceeded();
      this.#open.set(tag ?? 0, open);
      added.push(open);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#refuse(tag, error);
    }
  }

  #decide(added: readonly OpenCheck[]): void {
    if (added.length === 0) return;
    this.#undecided += added.length;
    const verdicts = this.#decider.decideMany(added.map(({ check }) => check));
    if (!(verdicts instanceof Promise)) {
      this.#decided(added, verdicts);
      return;
    }
    verdicts.then(
      (decided) => this.#decided(added, decided),
      (error: unknown) => this.#responses.fail(error),
    );
    for (const { due_ms } of added) this.#setTimer(due_ms);
  }

  #decided(decided: readonly OpenCheck[], verdicts: readonly Verdict[]): void {
    this.#undecided -= decided.length;
    if (this.#closed) return;
    for (const [index, open] of decided.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined || !this.#isOpen(open)) continue;
      this.#open.delete(open.tag ?? 0);
      const { denial, degraded } = checkResponse(verdict);
      this.#responses.send({ denial, degraded, tag: open.tag });
    }
    this.#responses.resume();
    this.#endIfDone();
  }

  /** Whether the check was neither answered nor cancelled. */
  #isOpen(open: OpenCheck): boolean {
    return this.#open.get(open.tag ?? 0) === open;
  }

  /** Forgets a check, which gets no decision. */
  #drop(key: number): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    withdraw(open.check);
  }

  #refuse(tag: CheckRequest['tag'], fault: Fault): void {
    this.#responses.send({ denial: null, degraded: false, tag, error: faultStatus(fault) });
  }

  #setTimer(due_ms: number): void {
    if (due_ms >= this.#timer_ms) return;
    clearTimeout(this.#timer);
    this.#timer_ms = due_ms;
    const wait_ms = Math.min(Math.max(1, due_ms - performance.now()), MAX_TIMER_MS);
    // Decisions that arrived while the event loop was blocked are still in time: the sockets are read first.
    this.#timer = setTimeout(() => setImmediate(() => this.#expire()), wait_ms);
  }

  /** Answers the checks that are too late, and sets the timer for the next one. */
  #expire(): void {
    if (this.#closed) return;
    const now_ms = performance.now();
    this.#timer_ms = Number.POSITIVE_INFINITY;
    let next_ms = Number.POSITIVE_INFINITY;
    for (const [key, { tag, due_ms }] of this.#open) {
      if (due_ms > now_ms) next_ms = Math.min(next_ms, due_ms);
      else {
        this.#drop(key);
        this.#refuse(tag, deadlineExceeded());
      }
    }
    this.#setTimer(next_ms);
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#finishing && this.#open.size === 0) this.#responses.end();
  }
}
