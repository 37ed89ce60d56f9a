/** Failures in a row that open the circuit. Those of one turn of the event loop, as of a lost connection, count once. */
const FAILURES = 5;
const PROBE_EVERY_MS = 200;

export interface BreakerOptions {
  /** Succeeds if calls would be answered now. It must not be a charge. */
  probe(): Promise<void>;
  /**
   * The timeout of a call. A success within it keeps the circuit closed: while one of several replicas or nodes fails at
   * once, the others' answers may still be on their way.
   */
  readonly timeout_ms: number;
  readonly starts_open?: boolean;
  onOpen?(): void;
  /** Called when a probe has succeeded. */
  onClose?(): void;
}

/**
 * A circuit breaker: five failures in a row, without a success within the timeout of a call, open it. The probe is then
 * tried every 200 ms, and its first success closes it. So no call waits for a peer that does not answer.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #succeededAt_ms = Number.NEGATIVE_INFINITY;
  /** Whether this turn of the event loop has counted a failure. */
  #hasCounted = false;
  #isProbing = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
    if (options.starts_open === true) this.#open();
  }

  /** Whether the peer must not be called now. */
  isOpen(): boolean {
    return this.#timer !== undefined;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#succeededAt_ms = performance.now();
  }

  failed(): void {
    if (this.#hasCounted || this.isOpen()) return;
    this.#hasCounted = true;
    setImmediate(() => {
      this.#hasCounted = false;
    });
    this.#failures++;
    const isSilent = performance.now() - this.#succeededAt_ms >= this.#options.timeout_ms;
    if (this.#failures >= FAILURES && isSilent) this.#open();
  }

  /** Ends its timer for good. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #open(): void {
    if (this.#isClosed) return;
    this.#options.onOpen?.();
    this.#timer = setInterval(() => void this.#tryProbe(), PROBE_EVERY_MS).unref();
  }

  async #tryProbe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    try {
      await this.#options.probe();
      if (!this.isOpen()) return; // `close` was called meanwhile
      this.#stop();
      this.#failures = 0;
      this.#options.onClose?.();
    } catch {
      // The next probe comes in 200 ms.
    } finally {
      this.#isProbing = false;
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
