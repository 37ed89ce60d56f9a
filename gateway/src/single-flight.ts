export interface SingleFlightOptions<In, T> {
  load(asked: In): Promise<T>;
  keyOf(asked: In): string;
}

/** A value with several holders. It is dropped when all have released it. */
export interface Shared<T> {
  readonly value: Promise<T>;
  /** To be called once. */
  release(): void;
}

interface Held<T> {
  readonly value: Promise<T>;
  holders: number;
}

/**
 * Loads a value once for simultaneous requests, and keeps it until the last of them has released it. So a popular
 * picture is loaded once, and is in memory once.
 */
export function singleFlight<In, T>({ load, keyOf }: SingleFlightOptions<In, T>): (asked: In) => Shared<T> {
  const held = new Map<string, Held<T>>();

  function ask(asked: In, key: string): Held<T> {
    const entry: Held<T> = { value: load(asked), holders: 0 };
    entry.value.catch(() => forget(key, entry)); // the next request tries again
    held.set(key, entry);
    return entry;
  }

  function forget(key: string, entry: Held<T>): void {
    if (held.get(key) === entry) held.delete(key);
  }

  return (asked) => {
    const key = keyOf(asked);
    const entry = held.get(key) ?? ask(asked, key);
    entry.holders++;
    return {
      value: entry.value,
      release: () => {
        entry.holders--;
        if (entry.holders === 0) forget(key, entry);
      },
    };
  };
}
