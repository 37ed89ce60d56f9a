let waiting: (() => void)[] | undefined;

/**
 * Says that this callback brings several results at once, such as the calls of a frame. What they lead to leaves
 * together, as soon as the code that awaits them has run, and does not wait until the event loop has read its
 * other sockets.
 */
export function gather(): void {
  if (waiting !== undefined) return;
  waiting = [];
  queueMicrotask(() => process.nextTick(runWaiting)); // Node runs a tick once no microtask is left
}

/** Runs `flush` when all is gathered; where nothing is being gathered, when all ready sockets have been read. */
export function scheduleFlush(flush: () => void): void {
  if (waiting === undefined) setImmediate(flush);
  else waiting.push(flush);
}

/** Runs `last` when all is gathered; where nothing is being gathered, at once. */
export function whenGathered(last: () => void): void {
  if (waiting === undefined) last();
  else waiting.push(last);
}

function runWaiting(): void {
  const flushes = waiting ?? [];
  waiting = undefined;
  for (const flush of flushes) flush();
}
