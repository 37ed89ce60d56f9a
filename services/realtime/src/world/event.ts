/** An event of chat's log with a parsed payload (docs/events.md#payloads). */
export interface LogEvent {
  readonly id: string;
  readonly type: string;
  /** If there are any, only these accounts receive the event. */
  readonly account_ids: readonly string[];
  readonly channel_id: string | undefined;
  readonly guild_id: string | undefined;
  readonly payload: unknown;
  /** ISO 8601. */
  readonly created_at: string;
  /** The transaction that wrote it. */
  readonly xact_id: string;
}
