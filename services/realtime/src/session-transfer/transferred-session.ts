import type {
  Position as TransferredPosition,
  Session as TransferredSession,
} from '@gatehouse/proto/realtime';
import { dispatchData, dispatchOf } from '../connections/dispatch.ts';
import type { EventName } from '../event-names.ts';
import type { ReplayEntry } from '../following/event-receiver.ts';
import type { Session } from '../sessions/session.ts';
import { RESUMABLE_MS } from '../sessions/sweep.ts';

const MAX_POSITIONS = 10_000;

/**
 * A session in the form that another replica accepts, with the events that its client may not have received.
 *
 * @param max_kept_bytes maximum bytes of kept dispatches. Older events are left out then: a client that has not received them
 *   must identify again
 */
export function transferredSession(session: Session, max_kept_bytes: number): TransferredSession {
  const { id, account, credential_id, is_bot, buffer, acknowledged, user_digest } = session;
  const last = buffer.last();
  const positions: TransferredPosition[] = [];
  let keptBytes = 0;
  for (let seq = last; seq > acknowledged && last - seq < MAX_POSITIONS; seq--) {
    const entry = buffer.get(seq);
    if (entry === undefined) break;
    if (typeof entry !== 'number') keptBytes += entry.rest.length;
    if (keptBytes > max_kept_bytes) break;
    positions.push(positionOf(entry));
  }
  const disconnected_ms =
    session.connection === undefined ? performance.now() - session.disconnectedAt_ms : 0;
  return {
    id,
    account_id: account.id,
    credential_id,
    bot: is_bot,
    seq: last,
    sent: session.is_live ? last : session.highest_sent,
    positions: positions.reverse(),
    user_digest,
    left_ms: Math.max(0, Math.round(RESUMABLE_MS - disconnected_ms)),
  };
}

function positionOf(entry: ReplayEntry): TransferredPosition {
  return typeof entry === 'number' ? { event_id: String(entry) } : { t: entry.t, d: dispatchData(entry) };
}

export function replayEntryOf({ event_id, t, d }: TransferredPosition): ReplayEntry {
  if (event_id != null) return Number(event_id);
  return dispatchOf((t ?? '') as EventName, d ?? 'null'); // a replica of a later version may send further events
}
