import type { Phase } from './client-message.ts';
import { CloseCode } from './connection.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/** A Heartbeat may be late by half an interval. */
export const MAX_SILENT_INTERVALS = 1.5;
/** Further Invalid sessions do not extend the time to identify. */
const MAX_INVALID_SESSIONS = 10;

/** The timeouts of one connection. Times are of performance.now(). */
export class ConnectionTimeouts {
  readonly #settings: ConnectionSettings;
  #heartbeatAt: number;
  /** When the time to identify began. */
  #unidentifiedSince: number;
  #invalidSessions = 0;
  #leaveAt: number | undefined;
  #destroyAt: number | undefined;

  constructor(settings: ConnectionSettings, openedAt: number) {
    this.#settings = settings;
    this.#heartbeatAt = openedAt;
    this.#unidentifiedSince = openedAt;
  }

  onHeartbeat(): void {
    this.#heartbeatAt = performance.now();
  }

  /** The client may identify again. */
  onInvalidSession(): void {
    if (this.#invalidSessions++ < MAX_INVALID_SESSIONS) this.#unidentifiedSince = performance.now();
  }

  /** The client was asked to reconnect. */
  onReconnect(): void {
    this.#leaveAt ??= performance.now() + this.#settings.leave_within_ms;
  }

  /** The code to close an open connection with; undefined while no timeout is over. */
  closeCode(phase: Phase, now: number): CloseCode | undefined {
    const { heartbeat_interval_ms, identify_within_ms } = this.#settings;
    const isSilent = now - this.#heartbeatAt > MAX_SILENT_INTERVALS * heartbeat_interval_ms;
    const isUnidentified = phase === 'new' && now - this.#unidentifiedSince > identify_within_ms;
    if (isSilent || isUnidentified) return CloseCode.SESSION_TIMED_OUT;
    return this.#leaveAt !== undefined && now >= this.#leaveAt ? CloseCode.GOING_AWAY : undefined;
  }

  /** Whether the time to answer the close frame is over. It begins with the first call. */
  isCloseOverdue(now: number): boolean {
    this.#destroyAt ??= now + this.#settings.close_within_ms;
    return now >= this.#destroyAt;
  }
}
