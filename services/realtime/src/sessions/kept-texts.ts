/** Counts the bytes of the events that all sessions together keep as they were sent. */
export interface KeptTexts {
  add(by_bytes: number): void;
  bytes(): number;
}

export function keptTexts(): KeptTexts {
  let bytes = 0;
  return {
    add: (by_bytes) => {
      bytes += by_bytes;
    },
    bytes: () => bytes,
  };
}
