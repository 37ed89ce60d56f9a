/** What metrics tell of the connections. */
export interface ConnectionCounts {
  /** Since the start. */
  opened: number;
  frames: number;
  dispatches: number;
  /** Connections closed, by the code that the server sent or else the client; 1006: without one. */
  readonly closed: Map<number, number>;
  /** Handshakes refused, by HTTP status. */
  readonly refused: Map<number, number>;
  /** Connections that were cut because too many had sent no request yet. */
  cut_handshakes: number;
  /** Connections that made room for others before they had identified. */
  displaced: number;
}

export function connectionCounts(): ConnectionCounts {
  return {
    opened: 0,
    frames: 0,
    dispatches: 0,
    closed: new Map(),
    refused: new Map(),
    cut_handshakes: 0,
    displaced: 0,
  };
}

export function countOne(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
