import { type EventTable, eventTable } from '@gatehouse/kit/event-log/event-table';
import type { Pool } from 'pg';

/** A row of the event log. Triggers write it (migrations/0001_baseline.sql). */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly account_id: string;
  readonly credential_id: string | null;
}

/** The event log as the readers of kit/src/event-log use it. */
export function eventLogTable(db: Pool): EventTable<StoredEvent> {
  return eventTable(db, 'id, type, account_id, credential_id');
}
