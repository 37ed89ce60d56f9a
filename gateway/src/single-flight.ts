import { unavailable } from '@gatehouse/kit/fault';

export interface SingleFlightOptions<In, T> {
  load(asked: In): Promise<T>;
  keyOf(asked: In): string;
  sizeOf(value: T): number;
  /** Of all values that are held together: what would exceed it is UNAVAILABLE. */
  readonly max_size: number;
  readonly onRefused?: () => void;
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
  size: number;
}

/**
 * Whoever asks for what somebody else still holds gets the same. So what is large, such as a picture on
 * its way to a slow client, is in memory once, slow clients cannot fill the memory, and what nobody
 * holds is asked for anew.
 */
export function singleFlight<In, T>(options: SingleFlightOptions<In, T>): (asked: In) => Shared<T> {
  const { load, keyOf, sizeOf, max_size, onRefused } = options;
  const held = new Map<string, Held<T>>();
  let total = 0;

  function ask(asked: In, key: string): Held<T> {
    const value = load(asked).then((loaded) => {
      const size = entry.holders === 0 ? 0 : sizeOf(loaded);
      if (total + size > max_size) {
        onRefused?.();
        throw unavailable(new Error(`${total} of ${max_size} are held already`));
      }
      entry.size = size;
      total += size;
      return loaded;
    });
    const entry: Held<T> = { value, holders: 0, size: 0 };
    value.catch(() => forget(key, entry)); // a failure is for those alone who waited for it
    held.set(key, entry);
    return entry;
  }

  function forget(key: string, entry: Held<T>): void {
    total -= entry.size;
    entry.size = 0;
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
