import { type EventTable, eventTable } from '@gatehouse/kit/event-log/event-table';
import type { Pool } from 'pg';

/** An event as it is in the log. Triggers write them (migrations/0001_baseline.sql). */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly account_id: string;
  readonly credential_id: string | null;
}

/** How the log is read in its order. */
export function eventLogTable(db: Pool): EventTable<StoredEvent> {
  return eventTable(db, 'id, type, account_id, credential_id');
}
