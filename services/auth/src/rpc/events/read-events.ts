import { readEvents as readEventLog } from '@gatehouse/kit/event-log/read-events';
import type { StreamHandler } from '@gatehouse/kit/rpc';
import type { Event, ReadEventsRequest, ReadEventsResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import type { StoredEvent } from '../../store/events/event-log.ts';

export function readEvents({
  eventLog,
}: Pick<Deps, 'eventLog'>): StreamHandler<ReadEventsRequest, ReadEventsResponse> {
  return (request, { signal }) => readEventLog(eventLog, request, eventView, signal);
}

function eventView({ id, type, account_id, credential_id }: StoredEvent): Event {
  return { id, type, account_id, credential_id };
}
