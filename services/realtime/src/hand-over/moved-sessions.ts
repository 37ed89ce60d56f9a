/**
 * Sessions that were given to other replicas a moment ago. One that is on its way is nowhere to be found, and who looks for
 * it then must look again.
 */
export interface MovedSessions {
  add(session_id: string): void;
  has(session_id: string): boolean;
}

/** Whoever asked for it has given up by then. */
const KEPT_MS = 3_000;

export function movedSessions(): MovedSessions {
  const movedAt_ms = new Map<string, number>();
  const isOver = (at_ms: number): boolean => performance.now() - at_ms > KEPT_MS;
  return {
    add: (session_id) => {
      for (const [id, at_ms] of movedAt_ms) {
        if (!isOver(at_ms)) break;
        movedAt_ms.delete(id);
      }
      movedAt_ms.delete(session_id);
      movedAt_ms.set(session_id, performance.now());
    },
    has: (session_id) => {
      const at_ms = movedAt_ms.get(session_id);
      return at_ms !== undefined && !isOver(at_ms);
    },
  };
}
