import type { Users } from '@gatehouse/auth-client/users';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { type Dispatch, dispatchOf } from '../connections/dispatch.ts';
import { logEventOf } from '../following/log-event.ts';
import { eventPayload, eventPayloadFor, isPersonal, usersShown } from '../payloads/event-payload.ts';
import type { FetchEvents } from './replay.ts';

const FETCH_TIMEOUT_MS = 5_000;

/** Reads events of chat's log again for a resumed session. */
export function fetchEvents(chat: Client<typeof ChatServiceDefinition>, users: Users): FetchEvents {
  return async ({ account }, ids) => {
    const { events } = await chat.getEvents(
      { ids: ids.map(String), with_states: false },
      { timeoutMs: FETCH_TIMEOUT_MS, caller: anonymous },
    );
    const byId = new Map(
      events
        .map(logEventOf)
        .filter((event) => event !== undefined)
        .map((event) => [Number(event.id), event]),
    );
    const shown = await users(new Set([...byId.values()].flatMap(usersShown)));
    const dispatches: Dispatch[] = [];
    for (const id of ids) {
      const event = byId.get(id);
      const payload =
        event &&
        (isPersonal(event) ? eventPayloadFor(event, account.id, shown) : eventPayload(event, shown, []));
      if (payload === undefined) return undefined;
      dispatches.push(dispatchOf(payload.t, payload.d));
    }
    return dispatches;
  };
}
