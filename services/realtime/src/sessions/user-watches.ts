/** Watches for changes of accounts while READYs are made. */
export class UserWatches {
  readonly #watches = new Map<string, Set<UserWatch>>();

  watch(account_id: string): UserWatch {
    const watches = this.#watches.get(account_id) ?? new Set();
    this.#watches.set(account_id, watches);
    const watch = new UserWatch(() => {
      watches.delete(watch);
      if (watches.size === 0 && this.#watches.get(account_id) === watches) this.#watches.delete(account_id);
    });
    watches.add(watch);
    return watch;
  }

  changed(account_id: string): void {
    for (const watch of this.#watches.get(account_id) ?? []) watch.markStale();
  }
}

export class UserWatch {
  readonly #onStop: () => void;
  #isStale = false;

  constructor(onStop: () => void) {
    this.#onStop = onStop;
  }

  /** Watches from now on. */
  restart(): void {
    this.#isStale = false;
  }

  markStale(): void {
    this.#isStale = true;
  }

  /** Whether the account has changed since the last restart. */
  isStale(): boolean {
    return this.#isStale;
  }

  stop(): void {
    this.#onStop();
  }
}
