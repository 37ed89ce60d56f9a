/** Counters for metrics, since the start. */
export interface ConnectionCounts {
  opened: number;
  frames: number;
  /** Connections that ended because their clients did not read. */
  slow_readers: number;
  dispatches: number;
  /** Closed connections by close code: the server's, or else the client's; 1006 if neither sent one. */
  readonly closed: Map<number, number>;
  /** Refused handshakes by HTTP status. */
  readonly refused: Map<number, number>;
  /** Connections that were cut because too many had sent no request yet. */
  cut_handshakes: number;
  /** Unidentified connections that made room for others. */
  displaced: number;
}

export function connectionCounts(): ConnectionCounts {
  return {
    opened: 0,
    frames: 0,
    slow_readers: 0,
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
