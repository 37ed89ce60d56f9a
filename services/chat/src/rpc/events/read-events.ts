import { readEvents as readEventLog } from '@gatehouse/kit/event-log/read-events';
import type { StreamHandler } from '@gatehouse/kit/rpc';
import type { ReadEventsRequest, ReadEventsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { viewEvent } from '../../events/event-view.ts';

export function readEvents({
  eventLog,
}: Pick<Deps, 'eventLog'>): StreamHandler<ReadEventsRequest, ReadEventsResponse> {
  return (request, { signal }) => readEventLog(eventLog, request, viewEvent, signal);
}
