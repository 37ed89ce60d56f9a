/** IDs that something happened to a short time ago. */
export interface Recently {
  add(id: string): void;
  has(id: string): boolean;
}

export function recently(kept_ms: number): Recently {
  const added_ms = new Map<string, number>();
  const isOver = (at_ms: number): boolean => performance.now() - at_ms > kept_ms;
  return {
    add: (id) => {
      for (const [old, at_ms] of added_ms) {
        if (!isOver(at_ms)) break;
        added_ms.delete(old);
      }
      added_ms.delete(id);
      added_ms.set(id, performance.now());
    },
    has: (id) => {
      const at_ms = added_ms.get(id);
      return at_ms !== undefined && !isOver(at_ms);
    },
  };
}
