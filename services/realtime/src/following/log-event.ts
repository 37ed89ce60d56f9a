import type { Event } from '@gatehouse/proto/chat';
import type { LogEvent } from '../world/event.ts';

/** Parses an event's payload; undefined if it is not JSON, which chat never writes. */
export function logEventOf(event: Event): LogEvent | undefined {
  const { id, type, account_ids, channel_id, guild_id, payload, created_at, xact_id } = event;
  try {
    return {
      id,
      type,
      account_ids,
      channel_id: channel_id ?? undefined,
      guild_id: guild_id ?? undefined,
      payload: JSON.parse(payload),
      created_at,
      xact_id,
    };
  } catch {
    return undefined;
  }
}
