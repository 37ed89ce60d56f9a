import type { ServerResponse } from 'node:http';
import type { Shared } from '../single-flight.ts';

export interface PictureParts {
  readonly first: Uint8Array;
  /** The length of the whole picture. */
  readonly size: number;
  /** Loads the part at this offset. */
  next(offset: number): Shared<Uint8Array>;
  /** Resolves once the client has read all written bytes, or has disconnected. */
  drained(): Promise<void>;
  /** Resolves when a part may be written to this client. */
  writeTurn(): Promise<void>;
}

/** Yields a picture part by part. It requests the next part once the client has read the previous one. */
export async function* pictureParts(picture: PictureParts): AsyncGenerator<Uint8Array> {
  const { first, size, next, drained, writeTurn } = picture;
  await writeTurn();
  yield first;
  await drained();
  for (let offset = first.length; offset < size; ) {
    const { value, release } = next(offset);
    try {
      const part = await value;
      if (part.length === 0) throw new Error(`a picture of ${size} bytes ended at ${offset}`);
      offset += part.length;
      await writeTurn();
      yield part;
      await drained();
    } finally {
      release();
    }
  }
}

/** Resolves once all written bytes are in the system's buffers, or the response is closed. */
export function drain(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    function done(): void {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    }
    response.on('drain', done);
    response.on('close', done);
  });
}

/** Makes a function whose promises resolve in order, at most `perTurn` of them in one turn of the event loop. */
export function writeTurns(perTurn: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  function resolveSome(): void {
    for (const resolve of waiting.slice(0, perTurn)) resolve();
    waiting = waiting.slice(perTurn);
    if (waiting.length > 0) setImmediate(resolveSome);
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(resolveSome);
    });
}
