import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from '@gatehouse/kit/fault';

/** A page of a log. */
export interface LogPage<E> {
  readonly events: readonly E[];
  /** The position after these events. */
  readonly cursor: string;
}

export interface FollowedLog<E> {
  /** Reads from a position on; undefined: from now on. */
  readonly read: (cursor: string | undefined) => AsyncIterable<LogPage<E>>;
  readonly print: (event: E) => void;
  /** Called when the service stops answering. */
  readonly warn: () => void;
  readonly signal: AbortSignal;
}

const RETRY_MS = 1_000;

/** Prints new events until the signal. While the service is down it waits, and then goes on where it was. */
export async function followLog<E>({ read, print, warn, signal }: FollowedLog<E>): Promise<void> {
  let cursor: string | undefined;
  let isDown = false;
  while (!signal.aborted) {
    try {
      for await (const page of read(cursor)) {
        if (signal.aborted) return;
        isDown = false;
        for (const event of page.events) print(event);
        cursor = page.cursor;
      }
    } catch (error) {
      // Before the first page, the address may be wrong: the caller says so.
      if (cursor === undefined || !isOutage(error)) throw error;
      if (!isDown) warn();
      isDown = true;
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
