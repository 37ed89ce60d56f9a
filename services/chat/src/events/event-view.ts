import type { Event } from '@gatehouse/proto/chat';
import type { StoredEvent } from '../store/events/event-log.ts';

/** A stored event as readers receive it. */
export function viewEvent({ account_ids, ...event }: StoredEvent): Event {
  return { ...event, account_ids: [...(account_ids ?? [])] };
}
