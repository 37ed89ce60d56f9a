import type { User } from '@gatehouse/proto/auth';
import type { Role } from '@gatehouse/proto/chat';
import type { LogEvent } from '../world/event.ts';
import { channelAccounts, channelPayload } from './channel-payload.ts';
import { EVENT_FORMS } from './event-forms.ts';
import type { Payload } from './payload.ts';

export type { Payload } from './payload.ts';

const CHANNEL_TYPES: ReadonlySet<string> = new Set(['CHANNEL_CREATE', 'CHANNEL_UPDATE', 'CHANNEL_DELETE']);

/** The accounts whose public users an event's payload shows. */
export function accountsShown(event: LogEvent): readonly string[] {
  if (isPersonal(event)) return channelAccounts(event.payload);
  return EVENT_FORMS.get(event.type)?.accounts?.(event.payload) ?? [];
}

/**
 * The event as clients see it: the same for all that are told. Undefined: its type is told in another way (GUILD_CREATE),
 * its payload is personal, or it is of a version that is not known here.
 *
 * @param users those of accountsShown that exist
 * @param roles of GUILD_UPDATE: the guild's, after the event
 */
export function eventPayload(
  event: LogEvent,
  users: ReadonlyMap<string, User>,
  roles: readonly Role[] = [],
): Payload | undefined {
  if (isPersonal(event)) return undefined;
  return named(event, EVENT_FORMS.get(event.type)?.text(event, users, roles));
}

/** Whether each account is shown something else: a private channel's recipients leave out the account itself. */
export function isPersonal({ type, guild_id }: LogEvent): boolean {
  return guild_id === undefined && CHANNEL_TYPES.has(type);
}

/** A personal event as this account sees it. Undefined: it is of a version that is not known here. */
export function eventPayloadFor(
  event: LogEvent,
  accountId: string,
  users: ReadonlyMap<string, User>,
): Payload | undefined {
  return named(event, channelPayload(event.payload, accountId, users));
}

/**
 * Whether the event, read again from the log, gives the payload of its place in the log. A GUILD_UPDATE does not: it has
 * the guild's roles, which later events may have changed.
 */
export function isReplayable({ type }: LogEvent): boolean {
  return type !== 'GUILD_UPDATE';
}

function named({ type }: LogEvent, d: string | undefined): Payload | undefined {
  return d === undefined ? undefined : { t: type, d };
}
