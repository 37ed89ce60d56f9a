/** Maximum calls that begin in one turn of the event loop; more begin in the next. */
const MAX_PER_TURN = 64;

let begun = 0;
let waiting: (() => void)[] = [];

/**
 * Begins a call in a microtask, after the code that makes it, or else in the next turn of the event loop. Without this
 * limit chains of calls would starve sockets and timers. Calls between processes wait for the event loop anyway.
 */
export function beginSoon(begin: () => void): void {
  if (begun === 0) setImmediate(nextTurn);
  begun++;
  if (begun <= MAX_PER_TURN) queueMicrotask(begin);
  else waiting.push(begin);
}

function nextTurn(): void {
  const due = waiting;
  waiting = [];
  begun = 0;
  for (const begin of due) begin();
}
