import { beginTurn } from '@gatehouse/kit/rpc/turn';

/** How many requests begin in one go: their calls leave in one frame. */
const AT_ONCE = 20;

let waiting: (() => unknown)[] = [];
let begun = 0;

/**
 * Begins a request once all sockets that are ready were read, some at a time. What one turn of the event
 * loop reads would otherwise go from service to service as one, and while one process works on it the others
 * wait: so ratelimit has the first when the edge begins with the next.
 */
export function takeIn(begin: () => unknown): void {
  waiting.push(begin);
  if (waiting.length === 1) setImmediate(beginSome);
}

function beginSome(): void {
  beginTurn();
  const end = Math.min(begun + AT_ONCE, waiting.length);
  while (begun < end) waiting[begun++]?.();
  if (begun < waiting.length) {
    setImmediate(beginSome);
    return;
  }
  waiting = [];
  begun = 0;
}
