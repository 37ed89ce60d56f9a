import { type MicrosecondClock, monotonicClock } from '../leaky-bucket/clock.ts';

/** Failures in a row that open the breaker. Failures in one turn of the event loop, such as those of a lost connection, count once. */
const FAILURES = 5;
const PROBE_EVERY_MS = 200;

export interface BreakerOptions {
  /** Succeeds if the peer answers. It must charge nothing. */
  probe(): Promise<void>;
  /**
   * The timeout of a call. A success within this time keeps the breaker closed: one replica may fail at once while others
   * still answer.
   */
  readonly timeout_ms: number;
  readonly starts_open?: boolean;
  readonly now_us?: MicrosecondClock;
  onOpen?(): void;
  /** Called when a probe succeeds. */
  onClose?(): void;
}

/**
 * A circuit breaker. Five failures in a row, without a success within the timeout of a call, open it. It is then probed every
 * 200 ms, and the first success closes it. So no call waits for a peer that does not answer.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #now_us: MicrosecondClock;
  #failures = 0;
  #succeededAt_us = Number.NEGATIVE_INFINITY;
  /** Whether this turn of the event loop has counted a failure. */
  #hasCounted = false;
  #isProbing = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#now_us = options.now_us ?? monotonicClock;
    if (options.starts_open === true) this.#open();
  }

  /** Whether no calls may be made now. */
  isOpen(): boolean {
    return this.#timer !== undefined;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#succeededAt_us = this.#now_us();
  }

  failed(): void {
    if (this.#hasCounted || this.isOpen()) return;
    this.#hasCounted = true;
    setImmediate(() => {
      this.#hasCounted = false;
    });
    this.#failures++;
    const isSilent = this.#now_us() - this.#succeededAt_us >= this.#options.timeout_ms * 1000;
    if (this.#failures >= FAILURES && isSilent) this.#open();
  }

  /** Ends probing. An open breaker closes, and does not open again. */
  stop(): void {
    this.#isStopped = true;
    this.#stopProbing();
  }

  #open(): void {
    if (this.#isStopped) return;
    this.#options.onOpen?.();
    this.#timer = setInterval(() => void this.#tryProbe(), PROBE_EVERY_MS).unref();
  }

  async #tryProbe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    try {
      await this.#options.probe();
      if (!this.isOpen()) return; // `stop` was called meanwhile
      this.#stopProbing();
      this.#failures = 0;
      this.#options.onClose?.();
    } catch {
      // The next probe comes in 200 ms.
    } finally {
      this.#isProbing = false;
    }
  }

  #stopProbing(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
