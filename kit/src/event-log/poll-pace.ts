/** The interval of polls while events come. */
const POLL_MS = 20;
/**
 * How long that lasts after an event or an announcement. Longer than the interval of announcements: polling finds the
 * events in between, which are not announced.
 */
const ACTIVE_MS = 2_000;
/** The interval of an idle log while announcements may be missing. */
const QUIET_POLL_MS = 50;
/** The interval of an idle log while events are announced: finds those whose announcement is lost. */
const ANNOUNCED_POLL_MS = 500;
/** After an event without an announcement: a process that does not announce may write more of them. */
const DISTRUST_MS = 60_000;

export interface PollPaceOptions {
  readonly isListening: () => boolean;
  /** Called when an event was found that was not announced, at most once a minute. */
  readonly onUnannounced: () => void;
  /** Overrides ANNOUNCED_POLL_MS. */
  readonly announced_poll_ms?: number | undefined;
}

/**
 * How often a log is polled. An event is found within POLL_MS or QUIET_POLL_MS, or its announcement causes a poll. If the
 * announcement is lost, it is found within ANNOUNCED_POLL_MS.
 */
export class PollPace {
  readonly #options: PollPaceOptions;
  #activeAt_ms = performance.now();
  #distrustedAt_ms = Number.NEGATIVE_INFINITY;
  /** Whether an event was found that has not been announced since. */
  #isUnannounced = false;

  constructor(options: PollPaceOptions) {
    this.#options = options;
  }

  isActive(): boolean {
    return performance.now() - this.#activeAt_ms < ACTIVE_MS;
  }

  /** Events were announced, or are expected. */
  expectEvents(): void {
    this.#activeAt_ms = performance.now();
    this.#isUnannounced = false;
  }

  /** A poll found events. `prompted`: it was caused by an announcement, or by a write of this process. */
  found(prompted: boolean): void {
    if (!prompted && !this.isActive() && this.#options.isListening()) this.#isUnannounced = true;
    this.#activeAt_ms = performance.now();
  }

  /** The time until the next poll, unless something prompts one. */
  interval_ms(): number {
    if (this.isActive()) return POLL_MS;
    if (this.#isUnannounced) this.#distrust();
    if (!this.#isTrusted() || !this.#options.isListening()) return QUIET_POLL_MS;
    return this.#options.announced_poll_ms ?? ANNOUNCED_POLL_MS;
  }

  /** Only the first event without an announcement needs a new connection: later ones tell nothing new about it. */
  #distrust(): void {
    const wasTrusted = this.#isTrusted();
    this.#isUnannounced = false;
    this.#distrustedAt_ms = performance.now();
    if (wasTrusted) this.#options.onUnannounced();
  }

  #isTrusted(): boolean {
    return performance.now() - this.#distrustedAt_ms >= DISTRUST_MS;
  }
}
