import { readConfig } from '@gatehouse/realtime/config';
import {
  DEFAULT_SETTINGS,
  MAX_FRAME_BYTES,
  MAX_IDENTIFY_BYTES,
  MAX_SILENT_INTERVALS,
  RESUMABLE_MS,
  STALLED_MS,
} from '@gatehouse/realtime/protocol';

/** The limits of a connection and a session. Those of settings have their defaults. */
export function limits(): Readonly<Record<string, number>> {
  const { bounds } = readConfig({});
  const settings = DEFAULT_SETTINGS;
  return {
    max_frame_bytes: MAX_FRAME_BYTES,
    max_identify_bytes: MAX_IDENTIFY_BYTES,
    max_frames: settings.max_frames,
    frames_window_seconds: settings.frames_window_ms / 1_000,
    identify_within_seconds: settings.identify_within_ms / 1_000,
    heartbeat_interval_ms: settings.heartbeat_interval_ms,
    max_silent_intervals: MAX_SILENT_INTERVALS,
    max_waiting_bytes: settings.max_waiting_bytes_each,
    ready_and_replay_read_within_seconds: STALLED_MS / 1_000,
    resume_within_seconds: RESUMABLE_MS / 1_000,
    max_replayed_events: bounds.max_positions,
    max_sessions_per_account: bounds.max_sessions_per_account,
  };
}
