import type { ServerResponse } from 'node:http';
import type { Shared } from '../single-flight.ts';

export interface PictureParts {
  readonly first: Uint8Array;
  /** The length of the whole picture. */
  readonly size: number;
  /** The part from this offset on. */
  next(offset: number): Shared<Uint8Array>;
  /** Resolves once the client has taken all written bytes, or has gone. */
  taken(): Promise<void>;
  /** Resolves when this client may be written to. */
  turn(): Promise<void>;
}

/** A picture, part by part: the next part is requested when the client has taken the last. */
export async function* pictureParts(picture: PictureParts): AsyncGenerator<Uint8Array> {
  const { first, size, next, taken, turn } = picture;
  await turn();
  yield first;
  await taken();
  for (let offset = first.length; offset < size; ) {
    const { value, release } = next(offset);
    try {
      const part = await value;
      if (part.length === 0) throw new Error(`a picture of ${size} bytes ended at ${offset}`);
      offset += part.length;
      await turn();
      yield part;
      await taken();
    } finally {
      release();
    }
  }
}

/** Resolves once all written bytes are in the system's buffers, or the response is closed. */
export function drained(response: ServerResponse): Promise<void> {
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

/**
 * Makes the function that lets this many clients continue in each turn of the event loop, the longest waiting first.
 */
export function turns(atOnce: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  function next(): void {
    for (const goOn of waiting.slice(0, atOnce)) goOn();
    waiting = waiting.slice(atOnce);
    if (waiting.length > 0) setImmediate(next);
  }
  return () =>
    new Promise((goOn) => {
      waiting.push(goOn);
      if (waiting.length === 1) setImmediate(next);
    });
}
