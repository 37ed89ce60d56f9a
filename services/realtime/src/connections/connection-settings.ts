/** Limits and timeouts of a connection. Tests make them smaller. */
export interface ConnectionSettings {
  /** The interval that Hello asks for. A connection without a Heartbeat for 1.5 intervals is closed. */
  readonly heartbeat_interval_ms: number;
  /** Time to identify, from Hello or Invalid session. */
  readonly identify_within_ms: number;
  /** Maximum frames of a client within `frames_window_ms`. */
  readonly max_frames: number;
  readonly frames_window_ms: number;
  /** Time to send the whole request that opens the WebSocket. */
  readonly handshake_within_ms: number;
  /** Maximum connections that have not sent that request yet. Beyond it the oldest are cut. */
  readonly max_handshakes: number;
  /** Time to answer a close frame. */
  readonly close_within_ms: number;
  /** Time between op 7 and closing the connection with 1001. */
  readonly leave_within_ms: number;
  /** Maximum bytes that wait for one client. Beyond it the client is cut off. */
  readonly max_waiting_bytes_each: number;
}

export const DEFAULT_SETTINGS: ConnectionSettings = {
  heartbeat_interval_ms: 41_250,
  identify_within_ms: 45_000,
  max_frames: 120,
  frames_window_ms: 60_000,
  handshake_within_ms: 10_000,
  max_handshakes: 2_048,
  close_within_ms: 5_000,
  leave_within_ms: 1_000,
  max_waiting_bytes_each: 1024 * 1024,
};

/** How often the timeouts of all connections, and of closing connections, are checked. */
export function tickIntervals(settings: ConnectionSettings): {
  readonly all_ms: number;
  readonly closing_ms: number;
} {
  const { heartbeat_interval_ms, identify_within_ms, close_within_ms, leave_within_ms } = settings;
  return {
    all_ms: tickInterval(heartbeat_interval_ms, identify_within_ms),
    closing_ms: tickInterval(close_within_ms, leave_within_ms),
  };
}

/** A fifth of the shortest timeout, between 10 ms and a second. */
function tickInterval(...timeouts_ms: readonly number[]): number {
  return Math.min(Math.max(Math.floor(Math.min(...timeouts_ms) / 5), 10), 1_000);
}
