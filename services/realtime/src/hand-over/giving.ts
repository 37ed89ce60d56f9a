/** Sessions that are on their way to another replica: they are neither here nor there for a moment. */
export interface Giving {
  /** Returns what is called once they are there, or stay here. */
  begin(session_ids: readonly string[]): () => void;
  has(session_id: string): boolean;
  /** Settles when the session is not on its way. */
  over(session_id: string): Promise<void>;
}

export function giving(): Giving {
  const underWay = new Map<string, Promise<void>>();
  return {
    begin: (session_ids) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      for (const id of session_ids) underWay.set(id, promise);
      return () => {
        for (const id of session_ids) underWay.delete(id);
        resolve();
      };
    },
    has: (session_id) => underWay.has(session_id),
    over: async (session_id) => {
      await underWay.get(session_id);
    },
  };
}
