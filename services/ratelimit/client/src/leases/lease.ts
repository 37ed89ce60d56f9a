import type { Charge, Denial } from '@gatehouse/proto/ratelimit';

/** The calls of a client that a lease makes. */
export interface LeaseCalls {
  /** Renews it. */
  check(charge: Charge): Promise<Denial | undefined>;
  refund(charge: Charge): Promise<void>;
  isOutage(error: unknown): boolean;
  /** The time after which the lease ends that is not renewed, as of now. */
  window_ms(): number;
  /** Called once, when it is neither renewed nor held any more. */
  onEnd(lease: Lease): void;
}

/** Permits of a concurrency limit, held by this process. The lease is renewed three times in its window. */
export class Lease {
  /** Aborted if a renewal is denied or fails: the permits may be held by others then. */
  readonly signal: AbortSignal;
  readonly #charge: Charge;
  readonly #calls: LeaseCalls;
  readonly #lost = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** The renewal that is on its way, or the last one. */
  #renewal: Promise<void> | undefined;
  #hasEnded = false;

  constructor(charge: Charge, calls: LeaseCalls) {
    this.signal = this.#lost.signal;
    this.#charge = charge;
    this.#calls = calls;
    this.#schedule();
  }

  /** Frees the permits. If ratelimit does not answer, they are free when the window is over. */
  async release(): Promise<void> {
    if (!this.stop()) return;
    await this.#renewal; // it would take the permits again after the refund
    try {
      await this.#calls.refund(this.#charge);
    } catch (error) {
      if (!this.#calls.isOutage(error)) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  /** Ends the renewals, so that the lease ends with its window. Returns whether it had not ended yet. */
  stop(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#calls.onEnd(this);
    return true;
  }

  #schedule(): void {
    const renew = () => {
      this.#renewal = this.#renew();
    };
    this.#timer = setTimeout(renew, this.#calls.window_ms() / 3).unref();
  }

  async #renew(): Promise<void> {
    try {
      const denial = await this.#calls.check(this.#charge);
      if (this.#hasEnded) return;
      if (denial === undefined) this.#schedule();
      else this.#lose(new Error('the lease has ended: its renewal was denied'));
    } catch (error) {
      this.#lose(new Error('the lease has ended: its renewal failed', { cause: error }));
    }
  }

  #lose(reason: Error): void {
    if (this.stop()) this.#lost.abort(reason);
  }
}
