/** Limits a client's frames in a sliding window. */
export class FrameRateLimit {
  readonly #max_frames: number;
  readonly #window_ms: number;
  /** When the frames of the window arrived. A well-behaved client has two a minute. */
  readonly #times: number[] = [];

  constructor(max_frames: number, window_ms: number) {
    this.#max_frames = max_frames;
    this.#window_ms = window_ms;
  }

  /** Counts a frame; false if it exceeds the limit. */
  admit(now: number): boolean {
    const times = this.#times;
    while (times[0] !== undefined && times[0] <= now - this.#window_ms) times.shift();
    if (times.length >= this.#max_frames) return false;
    times.push(now);
    return true;
  }
}
