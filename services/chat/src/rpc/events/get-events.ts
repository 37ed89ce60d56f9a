import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { GetEventsRequest, GetEventsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { viewEvent } from '../../events/event-view.ts';
import { viewGuildState } from '../../guilds/guild-state-view.ts';
import { findEvents } from '../../store/events/event-log.ts';

const MAX_EVENTS = 1_000;

export function getEvents({ db }: Pick<Deps, 'db'>): Handler<GetEventsRequest, GetEventsResponse> {
  return async ({ ids, with_states }) => {
    if (ids.length > MAX_EVENTS) throw badRequest('At most 1,000 events can be asked for.');
    const events = await findEvents(db, ids.filter(isSnowflake), with_states);
    return {
      events: events.map(({ state, ...event }) => ({
        ...viewEvent(event),
        guild_state: state && viewGuildState(state),
      })),
    };
  };
}
