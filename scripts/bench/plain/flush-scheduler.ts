/** Frames leave when the event loop has read all sockets that are ready, whatever brought their calls. */
export function gather(): void {}

export function scheduleFlush(flush: () => void): void {
  setImmediate(flush);
}

export function whenGathered(last: () => void): void {
  last();
}
