export interface QueueLimits {
  readonly events: number;
  /** Characters of the frames in the queue. */
  readonly characters: number;
}

/** Events that wait for their consumer. Its producer stops while it is full. */
export class EventQueue<T> {
  readonly #limits: QueueLimits;
  readonly #items: { readonly value: T; readonly characters: number }[] = [];
  readonly #takers: PromiseWithResolvers<IteratorResult<T, undefined>>[] = [];
  #characters = 0;
  #drained: PromiseWithResolvers<void> | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  push(value: T, characters: number): void {
    if (this.#end !== undefined) return;
    const taker = this.#takers.shift();
    if (taker !== undefined) taker.resolve({ done: false, value });
    else {
      this.#items.push({ value, characters });
      this.#characters += characters;
    }
  }

  isFull(): boolean {
    return this.#items.length >= this.#limits.events || this.#characters >= this.#limits.characters;
  }

  /** Resolves once at most half of each limit is used, or the queue has ended. */
  async untilDrained(): Promise<void> {
    if (this.#isDrained()) return;
    this.#drained ??= Promise.withResolvers();
    await this.#drained.promise;
  }

  /** The next event, once there is one. After the end: the error, once, and then `done`. */
  take(): Promise<IteratorResult<T, undefined>> {
    const item = this.#items.shift();
    if (item !== undefined) {
      this.#characters -= item.characters;
      this.#notifyDrained();
      return Promise.resolve({ done: false, value: item.value });
    }
    const taker = Promise.withResolvers<IteratorResult<T, undefined>>();
    this.#takers.push(taker);
    if (this.#end !== undefined) this.#answerTakers();
    return taker.promise;
  }

  /** Ends after the events in the queue. The first end counts. */
  end(end: { readonly error?: unknown } = {}): void {
    this.#end ??= end;
    this.#answerTakers();
    this.#notifyDrained();
  }

  /** Drops the events in the queue. */
  clear(): void {
    this.#items.length = 0;
    this.#characters = 0;
    this.#notifyDrained();
  }

  #isDrained(): boolean {
    const { events, characters } = this.#limits;
    const isHalfEmpty = this.#items.length <= events / 2 && this.#characters <= characters / 2;
    return isHalfEmpty || this.#end !== undefined;
  }

  #notifyDrained(): void {
    if (this.#drained === undefined || !this.#isDrained()) return;
    this.#drained.resolve();
    this.#drained = undefined;
  }

  #answerTakers(): void {
    for (const taker of this.#takers.splice(0)) {
      const { error } = this.#end ?? {};
      this.#end = {};
      if (error === undefined) taker.resolve({ done: true, value: undefined });
      else taker.reject(error);
    }
  }
}
