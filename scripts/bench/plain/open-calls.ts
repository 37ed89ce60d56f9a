import type { OpenCalls } from '@gatehouse/kit/rpc/stream/open-calls';

/** A stream's open calls in a Map. */
export function openCalls<T extends object>(): OpenCalls<T> {
  const calls = new Map<number, T>();
  return {
    get: (id) => calls.get(id),
    set: (id, call) => {
      calls.set(id, call);
    },
    take: (id) => {
      const call = calls.get(id);
      calls.delete(id);
      return call;
    },
    size: () => calls.size,
    all: () => [...calls],
  };
}
