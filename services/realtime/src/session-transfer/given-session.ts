import type { Position as GivenPosition, Session as GivenSession } from '@gatehouse/proto/realtime';
import { dispatchData, dispatchOf } from '../connections/dispatch.ts';
import type { Position } from '../following/event-receiver.ts';
import type { Session } from '../sessions/session.ts';
import { RESUMABLE_MS } from '../sessions/sweep.ts';

const MOST_POSITIONS = 10_000;

/**
 * A session as another replica is given it: with what its client may not have had yet.
 *
 * @param most_text_bytes of what is kept as it was sent. Older events stay behind then: a client that did not get them
 *   identifies anew
 */
export function givenSession(session: Session, most_text_bytes: number): GivenSession {
  const { id, account, credential_id, is_bot, positions, acknowledged, user_digest } = session;
  const last = positions.last();
  const given: GivenPosition[] = [];
  let textBytes = 0;
  for (let seq = last; seq > acknowledged && last - seq < MOST_POSITIONS; seq--) {
    const position = positions.get(seq);
    if (position === undefined) break;
    if (typeof position !== 'number') textBytes += position.rest.length;
    if (textBytes > most_text_bytes) break;
    given.push(givenPosition(position));
  }
  const gone_ms = session.connection === undefined ? performance.now() - session.disconnectedAt_ms : 0;
  return {
    id,
    account_id: account.id,
    credential_id,
    bot: is_bot,
    seq: last,
    sent: session.is_live ? last : session.most_sent,
    positions: given.reverse(),
    user_digest,
    left_ms: Math.max(0, Math.round(RESUMABLE_MS - gone_ms)),
  };
}

function givenPosition(position: Position): GivenPosition {
  if (typeof position === 'number') return { event_id: String(position) };
  return { t: position.t, d: dispatchData(position) };
}

export function positionOf({ event_id, t, d }: GivenPosition): Position {
  return event_id == null ? dispatchOf(t ?? '', d ?? 'null') : Number(event_id);
}
