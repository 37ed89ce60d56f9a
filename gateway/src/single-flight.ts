import { unavailable } from '@gatehouse/kit/fault';

export interface SingleFlightOptions<In, T> {
  load(asked: In): Promise<T>;
  keyOf(asked: In): string;
  sizeOf(value: T): number;
  /** Of all values that are held. A value that would exceed it is refused with UNAVAILABLE. */
  readonly max_size: number;
  readonly onRefused?: () => void;
}

/** A value that several hold; it is dropped when all have released it. */
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
 * Loads a value once for all who ask for it at the same time, and keeps it until the last of them has released it. So a
 * picture that many slow clients download is in memory once.
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
    value.catch(() => forget(key, entry)); // the next one who asks tries again
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
