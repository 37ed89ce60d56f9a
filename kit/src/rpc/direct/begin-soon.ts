/** Maximum calls that begin in one turn of the event loop; more begin in the next. */
const MAX_PER_TURN = 64;

let begun = 0;
let waiting: (() => void)[] = [];

/**
 * Begins a call after the code that makes it has returned to the event loop's microtasks. If chains of calls all began at
 * once, they would starve sockets and timers: calls between processes pass the event loop each time.
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
