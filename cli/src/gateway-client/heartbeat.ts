/** Sends heartbeats at an interval and notices when one is not acknowledged. */
export class Heartbeat {
  readonly #send: () => void;
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout | undefined;
  #unacknowledged = false;

  /** @param onSilence called if the last heartbeat is unacknowledged when the next is due */
  constructor(send: () => void, onSilence: () => void) {
    this.#send = send;
    this.#onSilence = onSilence;
  }

  /** The first heartbeat comes at a random time within the interval. */
  start(interval_ms: number): void {
    this.#schedule(interval_ms * Math.random(), interval_ms);
  }

  acknowledge(): void {
    this.#unacknowledged = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(delay_ms: number, interval_ms: number): void {
    this.#timer = setTimeout(() => {
      if (this.#unacknowledged) return this.#onSilence();
      this.#unacknowledged = true;
      this.#send();
      this.#schedule(interval_ms, interval_ms);
    }, delay_ms);
  }
}
