import type { User } from '@gatehouse/proto/auth';
import type { Role } from '@gatehouse/proto/chat';
import { isEventName } from '../event-names.ts';
import type { LogEvent } from '../world/event.ts';
import { channelAccounts, channelPayload } from './channel-payload.ts';
import { EVENT_FORMS } from './event-forms.ts';
import type { Payload } from './payload.ts';

export type { Payload } from './payload.ts';

const CHANNEL_TYPES: ReadonlySet<string> = new Set(['CHANNEL_CREATE', 'CHANNEL_UPDATE', 'CHANNEL_DELETE']);

/** The accounts whose public users an event's payload shows. */
export function usersShown(event: LogEvent): readonly string[] {
  if (isPersonal(event)) return channelAccounts(event.payload);
  return EVENT_FORMS.get(event.type)?.accounts?.(event.payload) ?? [];
}

/**
 * The payload of an event that is the same for all receivers. Undefined for GUILD_CREATE, personal events and unknown
 * versions.
 *
 * @param users those of usersShown that exist
 * @param roles for GUILD_UPDATE: the guild's roles after the event
 */
export function eventPayload(
  event: LogEvent,
  users: ReadonlyMap<string, User>,
  roles: readonly Role[] = [],
): Payload | undefined {
  if (isPersonal(event)) return undefined;
  return toPayload(event, EVENT_FORMS.get(event.type)?.text(event, users, roles));
}

/** Whether receivers get different payloads: a private channel's recipients leave out the receiver. */
export function isPersonal({ type, guild_id }: LogEvent): boolean {
  return guild_id === undefined && CHANNEL_TYPES.has(type);
}

/** The payload of a personal event for this account; undefined for an unknown version. */
export function eventPayloadFor(
  event: LogEvent,
  accountId: string,
  users: ReadonlyMap<string, User>,
): Payload | undefined {
  return toPayload(event, channelPayload(event.payload, accountId, users));
}

/**
 * Whether reading the event again gives the same payload. GUILD_UPDATE shows the guild's roles, which later events may
 * have changed.
 */
export function isReplayable({ type }: LogEvent): boolean {
  return type !== 'GUILD_UPDATE';
}

function toPayload({ type }: LogEvent, d: string | undefined): Payload | undefined {
  return d === undefined || !isEventName(type) ? undefined : { t: type, d };
}
