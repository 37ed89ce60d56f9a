import { beginTurn } from '@gatehouse/kit/rpc/turn';

/** How many requests begin in one go: their calls leave in one frame. */
const AT_ONCE = 32;

const waiting: (() => void)[] = [];
let scheduled = false;

/**
 * Begins a request once all sockets that are ready were read, some at a time. What one turn of the event
 * loop reads would otherwise go from service to service as one, and while one process works on it the others
 * wait: so ratelimit has the first when the edge begins with the next.
 */
export function takeIn(begin: () => void): void {
  waiting.push(begin);
  schedule();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(beginSome);
}

function beginSome(): void {
  scheduled = false;
  beginTurn();
  for (const begin of waiting.splice(0, AT_ONCE)) begin();
  if (waiting.length > 0) schedule();
}
