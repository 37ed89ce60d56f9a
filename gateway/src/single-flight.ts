export interface SingleFlightOptions<Request, T> {
  load(request: Request): Promise<T>;
  keyOf(request: Request): string;
}

/** A value with several holders. It is dropped when all have released it. */
export interface Shared<T> {
  readonly value: Promise<T>;
  /** To be called once. */
  release(): void;
}

interface Entry<T> {
  readonly value: Promise<T>;
  holders: number;
}

/**
 * Loads a value once for simultaneous requests, and keeps it until the last of them has released it. So a popular
 * picture is loaded once, and is in memory once.
 */
export function singleFlight<Request, T>({
  load,
  keyOf,
}: SingleFlightOptions<Request, T>): (request: Request) => Shared<T> {
  const entries = new Map<string, Entry<T>>();

  function start(request: Request, key: string): Entry<T> {
    const entry: Entry<T> = { value: load(request), holders: 0 };
    entry.value.catch(() => forget(key, entry)); // the next request tries again
    entries.set(key, entry);
    return entry;
  }

  function forget(key: string, entry: Entry<T>): void {
    if (entries.get(key) === entry) entries.delete(key);
  }

  return (request) => {
    const key = keyOf(request);
    const entry = entries.get(key) ?? start(request, key);
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
