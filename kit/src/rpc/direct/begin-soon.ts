/** Calls that begin in one turn of the event loop at most; more begin in the next. */
const MOST_IN_A_TURN = 64;

let begun = 0;
let waiting: (() => void)[] = [];

/**
 * Begins a call once the code that makes it goes on. Calls that lead to calls would keep the event loop from its sockets
 * and timers if all began at once: those between processes pass it each time.
 */
export function beginSoon(begin: () => void): void {
  if (begun === 0) setImmediate(nextTurn);
  begun++;
  if (begun <= MOST_IN_A_TURN) queueMicrotask(begin);
  else waiting.push(begin);
}

function nextTurn(): void {
  const due = waiting;
  waiting = [];
  begun = 0;
  for (const begin of due) begin();
}
