import type { StreamHandler } from '@gatehouse/kit/rpc';
import type { ReadEventsRequest, ReadEventsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { readCursor } from '../events/cursor.ts';
import { readLog } from '../events/read-log.ts';
import { responsesOf } from '../events/responses.ts';

export function readEvents({
  db,
  tail,
}: Pick<Deps, 'db' | 'tail'>): StreamHandler<ReadEventsRequest, ReadEventsResponse> {
  return ({ cursor, types }, { signal }) => {
    const start = cursor == null ? undefined : readCursor(cursor);
    return responsesOf(readLog(db, tail, start, signal), types);
  };
}
