let due: (() => void)[] | undefined;

/**
 * Says that this callback brings several results at once, such as a frame or a batch. What they lead to
 * leaves together when all their continuations have run: at once for a process that waits for it, not
 * after whatever else the event loop finds to read.
 */
export function beginTurn(): void {
  if (due !== undefined) return;
  due = [];
  queueMicrotask(() => process.nextTick(endTurn)); // a tick runs when no microtask is left
}

/** Runs `flush` at the end of the turn, or, outside one, after all sockets that are ready were read. */
export function atTurnEnd(flush: () => void): void {
  if (due === undefined) setImmediate(flush);
  else due.push(flush);
}

/** Runs `last` at the end of the turn, or, outside one, now. */
export function afterTurn(last: () => void): void {
  if (due === undefined) last();
  else due.push(last);
}

function endTurn(): void {
  const flushes = due ?? [];
  due = undefined;
  for (const flush of flushes) flush();
}
