/** Credentials that ended lately: one that is just being identified may be among them. */
export interface EndedCredentials {
  add(credential_id: string): void;
  has(credential_id: string): boolean;
}

/** Longer than an Identify may take. */
const KEPT_MS = 60_000;

export function endedCredentials(): EndedCredentials {
  const endedAt_ms = new Map<string, number>();
  return {
    add: (credential_id) => {
      const now_ms = performance.now();
      for (const [id, at_ms] of endedAt_ms) {
        if (now_ms - at_ms < KEPT_MS) break;
        endedAt_ms.delete(id);
      }
      endedAt_ms.set(credential_id, now_ms);
    },
    has: (credential_id) => endedAt_ms.has(credential_id),
  };
}
