/** A client that does not read blocks the handler after this many messages. */
const CAPACITY = 16;

/** The responses of one stream, between its handler and the client that reads them. */
export class MessageQueue {
  #waiting: unknown[] = [];
  #ended = false;
  #failure: Error | undefined;
  #wakeReader = ignore;
  #wakeSender = ignore;

  /** Adds a message. Settles when there is room for another one, or the queue has ended. */
  send(message: unknown): Promise<void> {
    if (this.#ended) return Promise.resolve();
    this.#waiting.push(message);
    this.#wakeReader();
    if (this.#waiting.length < CAPACITY) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wakeSender = resolve;
    });
  }

  /** Ends the queue after the messages in it, with an error if one is given. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = error;
    this.#wakeReader();
    this.#wakeSender();
  }

  /** Ends the queue at once, and drops the messages in it. */
  giveUp(reason: Error): void {
    if (!this.#ended) this.#waiting = [];
    this.end(reason);
  }

  async *messages(): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      while (this.#waiting.length > 0) {
        const [message] = this.#waiting.splice(0, 1);
        if (this.#waiting.length < CAPACITY) this.#wakeSender();
        yield message;
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }
}

function ignore(): void {}
