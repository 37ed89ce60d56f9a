export interface SingleFlightOptions<In, T> {
  load(asked: In): Promise<T>;
  keyOf(asked: In): string;
}

/** A value that several hold: it is let go of when all have released it. */
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
 * Whoever asks for what somebody else still holds gets the same. So what many want at once, such as a popular
 * picture, is asked for and in memory once; and what nobody holds is asked for anew.
 */
export function singleFlight<In, T>({ load, keyOf }: SingleFlightOptions<In, T>): (asked: In) => Shared<T> {
  const held = new Map<string, Held<T>>();

  function ask(asked: In, key: string): Held<T> {
    const entry: Held<T> = { value: load(asked), holders: 0 };
    entry.value.catch(() => forget(key, entry)); // a failure is for those alone who waited for it
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
