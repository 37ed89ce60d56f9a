import { userOrDeleted } from '@gatehouse/auth-client/users';
import type { User } from '@gatehouse/proto/auth';
import type { Role } from '@gatehouse/proto/chat';
import type { EventName } from '../event-names.ts';
import { isObject } from '../json-types.ts';
import type { LogEvent } from '../world/event.ts';
import { channelPayload } from './channel-payload.ts';
import { fieldOf, stringsOf } from './fields.ts';
import { guildUpdatePayload } from './guild-payload.ts';
import { memberPayload } from './member-payload.ts';
import { messageAccounts, messagePayload } from './message-payload.ts';
import { extend, writeRole, writeUser } from './texts.ts';

type Users = ReadonlyMap<string, User>;

/** The public form of an event type. */
export interface EventForm {
  /** The accounts whose users it shows. */
  readonly accounts?: (payload: unknown) => readonly string[];
  /** JSON text; undefined if the payload is of an unknown version. */
  readonly text: (event: LogEvent, users: Users, roles: readonly Role[]) => string | undefined;
}

/** The events whose content is not in an event of chat's log. */
type OtherName = 'READY' | 'RESUMED' | 'GUILD_CREATE' | 'USER_UPDATE';

const FORMS: Readonly<Record<Exclude<EventName, OtherName>, EventForm>> = {
  GUILD_UPDATE: { text: guildUpdate },
  GUILD_DELETE: { text: guildDelete },
  GUILD_ROLE_CREATE: { text: role },
  GUILD_ROLE_UPDATE: { text: role },
  GUILD_ROLE_DELETE: { text: copyFields('guild_id', 'role_id') },
  GUILD_MEMBER_ADD: { accounts: memberAccounts, text: member },
  GUILD_MEMBER_UPDATE: { accounts: memberAccounts, text: member },
  GUILD_MEMBER_REMOVE: { accounts: accountOf, text: userIn('guild_id') },
  CHANNEL_CREATE: { text: channel },
  CHANNEL_UPDATE: { text: channel },
  CHANNEL_DELETE: { text: channel },
  CHANNEL_RECIPIENT_ADD: { accounts: accountOf, text: userIn('channel_id') },
  CHANNEL_RECIPIENT_REMOVE: { accounts: accountOf, text: userIn('channel_id') },
  MESSAGE_CREATE: { accounts: messageAccounts, text: message },
  MESSAGE_UPDATE: { accounts: messageAccounts, text: message },
  MESSAGE_DELETE: { text: messageDelete },
  WEBHOOKS_UPDATE: { text: copyFields('guild_id', 'channel_id') },
  INVITE_CREATE: { text: copyFields('code', 'channel_id', 'guild_id') },
  INVITE_DELETE: { text: copyFields('code', 'channel_id', 'guild_id') },
};

/** By the type of an event in chat's log (docs/gateway.md#events). */
export const EVENT_FORMS: ReadonlyMap<string, EventForm> = new Map(Object.entries(FORMS));

function guildUpdate({ payload }: LogEvent, _: Users, roles: readonly Role[]): string | undefined {
  return guildUpdatePayload(payload, roles);
}

function guildDelete({ payload }: LogEvent): string | undefined {
  const guild = stringsOf(payload, 'guild_id');
  return guild && JSON.stringify({ id: guild.guild_id });
}

function role({ payload }: LogEvent): string | undefined {
  const ids = stringsOf(payload, 'guild_id');
  const row = fieldOf(payload, 'role');
  if (ids === undefined || !isObject(row)) return undefined;
  const { text, complete } = writeRole(row);
  return complete ? extend(JSON.stringify(ids), { role: text }) : undefined;
}

function member({ payload }: LogEvent, users: Users): string | undefined {
  const ids = stringsOf(payload, 'guild_id');
  const text = memberPayload(fieldOf(payload, 'member'), users);
  if (ids === undefined || text === undefined) return undefined;
  return extend(text, { guild_id: JSON.stringify(ids.guild_id) });
}

function memberAccounts(payload: unknown): readonly string[] {
  return accountOf(fieldOf(payload, 'member'));
}

/** {guild_id, user} or {channel_id, user}. */
function userIn(name: 'guild_id' | 'channel_id'): EventForm['text'] {
  return ({ payload }, users) => {
    const ids = stringsOf(payload, name);
    const [account_id] = accountOf(payload);
    if (ids === undefined || account_id === undefined) return undefined;
    return extend(JSON.stringify(ids), { user: writeUser(userOrDeleted(users, account_id)).text });
  };
}

function accountOf(payload: unknown): readonly string[] {
  return Object.values(stringsOf(payload, 'account_id') ?? {});
}

function channel({ payload }: LogEvent): string | undefined {
  return channelPayload(payload);
}

function message({ payload, guild_id }: LogEvent, users: Users): string | undefined {
  return messagePayload(payload, guild_id, users);
}

function messageDelete({ payload, guild_id }: LogEvent): string | undefined {
  const ids = stringsOf(payload, 'id', 'channel_id');
  return ids && JSON.stringify({ ...ids, guild_id });
}

/** Copies these fields of the payload. */
function copyFields(...names: readonly string[]): EventForm['text'] {
  return ({ payload }) => {
    const fields = stringsOf(payload, ...names);
    return fields && JSON.stringify(fields);
  };
}
