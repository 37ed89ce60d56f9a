/** After this many frames the queue is flushed before the turn ends, so that the first frames are not late. */
const MAX_FRAMES = 32_768;

/**
 * Flushes sockets together at the end of a turn of the event loop. Several events of the log are sent in one turn, and
 * their frames for a socket then share one system call, which is most of a frame's cost: ten frames together cost a
 * quarter of ten separate ones.
 */
export class FlushQueue {
  #waiting: (() => void)[] = [];
  #frames = 0;

  add(flush: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flushAll());
    this.#waiting.push(flush);
  }

  countFrame(): void {
    if (++this.#frames >= MAX_FRAMES) this.#flushAll();
  }

  #flushAll(): void {
    const flushes = this.#waiting;
    this.#waiting = [];
    this.#frames = 0;
    for (const flush of flushes) flush();
  }
}
