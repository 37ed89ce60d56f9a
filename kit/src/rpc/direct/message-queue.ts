/** The responses of one stream, between its handler and the client that reads them. */
export interface MessageQueue {
  /** Adds a message; settles once there is room for another one, or nobody reads any more. */
  send(message: unknown): Promise<void>;
  /** Ends it after what is in it: for the client with an error, if there is one. */
  end(error?: Error): void;
  /** Ends it at once, and drops what is in it. */
  giveUp(reason: Error): void;
  messages(): AsyncGenerator<unknown, void, undefined>;
}

/** A client that does not read has the handler held up after so many messages. */
const ROOM = 16;

export function messageQueue(): MessageQueue {
  let waiting: unknown[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wakeReader = ignore;
  let wakeSender = ignore;

  async function* messages(): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      while (waiting.length > 0) {
        const [message] = waiting.splice(0, 1);
        if (waiting.length < ROOM) wakeSender();
        yield message;
      }
      if (failure !== undefined) throw failure;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wakeReader = resolve;
      });
    }
  }

  function end(error?: Error): void {
    if (ended) return;
    ended = true;
    failure = error;
    wakeReader();
    wakeSender();
  }

  return {
    messages,
    end,
    giveUp: (reason) => {
      if (!ended) waiting = [];
      end(reason);
    },
    send: (message) => {
      if (ended) return Promise.resolve();
      waiting.push(message);
      wakeReader();
      if (waiting.length < ROOM) return Promise.resolve();
      return new Promise((resolve) => {
        wakeSender = resolve;
      });
    },
  };
}

function ignore(): void {}
