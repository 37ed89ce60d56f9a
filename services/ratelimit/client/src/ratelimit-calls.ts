import { isOutage, unavailable } from '@gatehouse/kit/fault';
import type { CallOptions, Connection } from '@gatehouse/kit/rpc';
import type { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { Breaker } from './degraded/breaker.ts';
import type { Origin } from './rate-limits.ts';

const PROBE_TIMEOUT_MS = 200;

export interface RatelimitCallsOptions {
  readonly connection: Connection<typeof RatelimitServiceDefinition>;
  readonly timeout_ms: number;
  /** The breaker's probe; health checks by default. */
  readonly probe?: ((timeout_ms: number) => Promise<void>) | undefined;
  /** Called when ratelimit answers again. */
  onBack(): void;
}

/** Calls to ratelimit. A circuit breaker keeps them from a ratelimit that does not answer. */
export class RatelimitCalls {
  readonly client: Connection<typeof RatelimitServiceDefinition>['client'];
  readonly #connection: Connection<typeof RatelimitServiceDefinition>;
  readonly #timeout_ms: number;
  readonly #breaker: Breaker;

  constructor({ connection, timeout_ms, probe, onBack }: RatelimitCallsOptions) {
    this.client = connection.client;
    this.#connection = connection;
    this.#timeout_ms = timeout_ms;
    this.#breaker = new Breaker({
      probe: () => (probe === undefined ? this.#checkHealth() : probe(PROBE_TIMEOUT_MS)),
      timeout_ms,
      onClose: onBack,
    });
  }

  /** Whether calls are refused now. */
  isOpen(): boolean {
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

  /** Counts an outage. @throws any other error */
  failed(error: unknown, origin: Origin | undefined): void {
    if (!isOutage(error)) throw error;
    // A call whose own deadline has passed says nothing about ratelimit.
    if (typeof origin !== 'object' || origin.due_ms > performance.now()) this.#breaker.failed();
  }

  /**
   * Makes a call that only ratelimit can answer. Its failures may be those of ratelimit's store, so they do not count.
   *
   * @throws Fault UNAVAILABLE while calls are refused
   */
  async ask<T>(call: (options: CallOptions) => Promise<T>, origin: Origin | undefined): Promise<T> {
    if (this.isOpen()) throw unavailable(new Error('ratelimit does not answer'));
    const answer = await call(this.options(origin));
    this.succeeded();
    return answer;
  }

  close(): void {
    this.#breaker.close();
  }

  async #checkHealth(): Promise<void> {
    if (!(await this.#connection.healthy(PROBE_TIMEOUT_MS))) throw new Error('ratelimit is not serving');
  }
}
