/** A value that several hold: it is let go of when all have released it. */
export interface Shared<T> {
  readonly value: Promise<T>;
  /** To be called once. */
  release(): void;
}

/**
 * Whoever asks for what somebody else still holds gets the same. So what is large, such as a picture on
 * its way to a slow client, is in memory once, and what nobody holds is asked for anew.
 */
export function sharing<In, T>(
  load: (asked: In) => Promise<T>,
  keyOf: (asked: In) => string,
): (asked: In) => Shared<T> {
  const held = new Map<string, { readonly value: Promise<T>; holders: number }>();
  return (asked) => {
    const key = keyOf(asked);
    const entry = held.get(key) ?? { value: load(asked), holders: 0 };
    held.set(key, entry);
    entry.holders++;
    const forget = () => {
      if (held.get(key) === entry) held.delete(key);
    };
    entry.value.catch(forget); // a failure is for those alone who waited for it
    return {
      value: entry.value,
      release: () => {
        entry.holders--;
        if (entry.holders === 0) forget();
      },
    };
  };
}
