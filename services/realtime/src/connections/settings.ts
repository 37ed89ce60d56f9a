/** What a connection may take, and for how long. Tests make them smaller. */
export interface Settings {
  /** How often Hello asks for a Heartbeat. After 1.5 of them without one the connection is closed. */
  readonly heartbeat_interval_ms: number;
  /** From Hello, or from Invalid session. */
  readonly identify_within_ms: number;
  /** Within `frames_window_ms`. */
  readonly max_frames: number;
  readonly frames_window_ms: number;
  /** How long a client may take for the whole request that opens the WebSocket. */
  readonly handshake_within_ms: number;
  /** Connections that have not sent that request yet; beyond it the oldest are cut. */
  readonly max_handshakes: number;
  /** How long the client may take to answer a close frame. */
  readonly close_within_ms: number;
  /** After op 7, until the connection is closed with 1001. */
  readonly leave_within_ms: number;
  /** That wait for one client; it is cut off when there are more. */
  readonly max_waiting_bytes_each: number;
}

export const SETTINGS: Settings = {
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

/** How often all connections are looked at, and those that end. */
export function ticksOf(settings: Settings): { readonly all_ms: number; readonly ending_ms: number } {
  const { heartbeat_interval_ms, identify_within_ms, close_within_ms, leave_within_ms } = settings;
  return {
    all_ms: tickOf(heartbeat_interval_ms, identify_within_ms),
    ending_ms: tickOf(close_within_ms, leave_within_ms),
  };
}

/** Often enough for the shortest of the times, and at least once a second. */
function tickOf(...times_ms: readonly number[]): number {
  return Math.min(Math.max(Math.floor(Math.min(...times_ms) / 5), 10), 1_000);
}
