import { Breaker } from './degraded/breaker.ts';
import type { MicrosecondClock } from './leaky-bucket/clock.ts';
import type { Transport } from './transport.ts';

const PROBE_TIMEOUT_MS = 200;

export interface RatelimitCallsOptions<Origin> {
  readonly transport: Transport<Origin>;
  readonly timeout_ms: number;
  readonly now_us: MicrosecondClock;
  /** The breaker's probe; a health check by default. */
  readonly probe?: ((timeout_ms: number) => Promise<void>) | undefined;
  /** Called for each answer. */
  onAnswer(): void;
  /** Called when ratelimit answers again after the breaker was open. */
  onRecovery(): void;
}

/** A call to ratelimit, and the decision of this process while ratelimit does not answer. */
export interface CallWithFallback<Response, Result> {
  call(timeout_ms: number): Promise<Response>;
  toResult(response: Response): Result;
  /** @param cause the error of the call, if one was made */
  decideLocally(cause?: unknown): Result;
}

/** Calls to ratelimit, with a circuit breaker. */
export class RatelimitCalls<Origin> {
  readonly timeout_ms: number;
  readonly #transport: Transport<Origin>;
  readonly #breaker: Breaker;
  readonly #onAnswer: () => void;

  constructor({ transport, timeout_ms, now_us, probe, onAnswer, onRecovery }: RatelimitCallsOptions<Origin>) {
    this.timeout_ms = timeout_ms;
    this.#transport = transport;
    this.#onAnswer = onAnswer;
    this.#breaker = new Breaker({
      probe: () => (probe === undefined ? this.#checkHealth() : probe(PROBE_TIMEOUT_MS)),
      timeout_ms,
      now_us,
      onClose: onRecovery,
    });
  }

  /** Whether no calls may be made now. */
  isBreakerOpen(): boolean {
    return this.#breaker.isOpen();
  }

  succeeded(): void {
    this.#breaker.succeeded();
    this.#onAnswer();
  }

  /** Counts a failure if the error is an outage. @throws any other error */
  failed(error: unknown, origin: Origin | undefined): void {
    if (!this.#transport.isOutage(error)) throw error;
    if (!this.#transport.isOutOfTime(origin)) this.#breaker.failed();
  }

  /**
   * Makes a call without a fallback. Its failures are not counted, since they may be failures of ratelimit's store.
   *
   * @throws UNAVAILABLE while the breaker is open
   */
  async call<T>(make: (timeout_ms: number) => Promise<T>): Promise<T> {
    if (this.isBreakerOpen()) throw this.#transport.unavailable();
    const response = await make(this.timeout_ms);
    this.succeeded();
    return response;
  }

  /** Makes a call, or decides locally if the breaker is open or the call fails. @throws other errors than outages */
  async callOrDecide<Response, Result>(
    { call, toResult, decideLocally }: CallWithFallback<Response, Result>,
    origin: Origin | undefined,
  ): Promise<Result> {
    if (this.isBreakerOpen()) return decideLocally();
    try {
      const response = await call(this.timeout_ms);
      this.succeeded();
      return toResult(response);
    } catch (error) {
      this.failed(error, origin);
      return decideLocally(error);
    }
  }

  close(): void {
    this.#breaker.stop();
  }

  async #checkHealth(): Promise<void> {
    if (!(await this.#transport.healthy(PROBE_TIMEOUT_MS))) throw new Error('ratelimit is not serving');
  }
}
