import { isOutage, unavailable } from '@gatehouse/kit/fault';
import type { CallOptions, Connection } from '@gatehouse/kit/rpc';
import type { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { Breaker } from './degraded/breaker.ts';
import type { Origin } from './rate-limits.ts';

const PROBE_TIMEOUT_MS = 200;

export interface RatelimitCallsOptions {
  readonly connection: Connection<typeof RatelimitServiceDefinition>;
  readonly timeout_ms: number;
  /** The breaker's probe; a health check by default. */
  readonly probe?: ((timeout_ms: number) => Promise<void>) | undefined;
  /** Called when ratelimit answers again. */
  onRecovery(): void;
}

/** A call to ratelimit, and the decision of this process while ratelimit does not answer. */
export interface CallWithFallback<Response, Result> {
  call(options: CallOptions): Promise<Response>;
  toResult(response: Response): Result;
  /** @param cause the error of the call, if one was made */
  decideLocally(cause?: unknown): Result;
}

/** Calls to ratelimit, with a circuit breaker. */
export class RatelimitCalls {
  readonly client: Connection<typeof RatelimitServiceDefinition>['client'];
  readonly #connection: Connection<typeof RatelimitServiceDefinition>;
  readonly #timeout_ms: number;
  readonly #breaker: Breaker;

  constructor({ connection, timeout_ms, probe, onRecovery }: RatelimitCallsOptions) {
    this.client = connection.client;
    this.#connection = connection;
    this.#timeout_ms = timeout_ms;
    this.#breaker = new Breaker({
      probe: () => (probe === undefined ? this.#checkHealth() : probe(PROBE_TIMEOUT_MS)),
      timeout_ms,
      onClose: onRecovery,
    });
  }

  /** Whether no calls may be made now. */
  isBreakerOpen(): boolean {
    return this.#breaker.isOpen();
  }

  options(origin: Origin | undefined): CallOptions {
    const timeoutMs = this.#timeout_ms;
    if (typeof origin === 'object') return { timeoutMs, parent: origin };
    return { timeoutMs, requestId: origin ?? '' };
  }

  succeeded(): void {
    this.#breaker.succeeded();
  }

  /** Counts a failure if the error is an outage. @throws any other error */
  failed(error: unknown, origin: Origin | undefined): void {
    if (!isOutage(error)) throw error;
    // A caller's deadline that has passed is no failure of ratelimit.
    if (typeof origin !== 'object' || origin.due_ms > performance.now()) this.#breaker.failed();
  }

  /**
   * Makes a call without a fallback. Its failures are not counted, since they may be failures of ratelimit's store.
   *
   * @throws Fault UNAVAILABLE while the breaker is open
   */
  async call<T>(make: (options: CallOptions) => Promise<T>, origin: Origin | undefined): Promise<T> {
    if (this.isBreakerOpen()) throw unavailable(new Error('ratelimit does not answer'));
    const response = await make(this.options(origin));
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
      const response = await call(this.options(origin));
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
    if (!(await this.#connection.healthy(PROBE_TIMEOUT_MS))) throw new Error('ratelimit is not serving');
  }
}
