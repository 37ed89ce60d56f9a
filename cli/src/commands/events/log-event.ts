import type { Event as AuthEvent } from '@gatehouse/proto/auth';
import type { Event as ChatEvent } from '@gatehouse/proto/chat';
import { parseJson } from '../../json/members.ts';
import { printable, printableJson } from '../../output/printable.ts';

/** An event of either log. */
export interface LogEvent {
  readonly log: 'auth' | 'chat';
  readonly id: string;
  readonly type: string;
  readonly guild_id: string | null;
  readonly channel_id: string | null;
  /** The accounts that it concerns; empty: those that can see the guild or channel. */
  readonly account_ids: readonly string[];
  /** Undefined if it is no JSON. */
  readonly payload: unknown;
}

export function chatEvent({ id, type, guild_id, channel_id, account_ids, payload }: ChatEvent): LogEvent {
  const place = { guild_id: guild_id ?? null, channel_id: channel_id ?? null };
  return { log: 'chat', id, type, ...place, account_ids, payload: parseJson(payload) };
}

export function authEvent({ id, type, account_id, credential_id }: AuthEvent): LogEvent {
  const payload = credential_id == null ? {} : { credential_id };
  return { log: 'auth', id, type, guild_id: null, channel_id: null, account_ids: [account_id], payload };
}

/** The length of most types. */
const TYPE_WIDTH = 16;

/** An event as one line for people. */
export function logEventLine(
  { type, guild_id, channel_id, account_ids, payload }: LogEvent,
  at: Date,
): string {
  const parts = [
    at.toISOString().slice(11, 19),
    type.padEnd(TYPE_WIDTH),
    guild_id && `guild ${guild_id}`,
    channel_id && `channel ${channel_id}`,
    account_ids.length > 0 && `account ${account_ids.join(',')}`,
    JSON.stringify(payload),
  ];
  return printable(parts.filter(Boolean).join(' '));
}

/** An event as one line of JSON for scripts. */
export function logEventJson(event: LogEvent, at: Date): string {
  return printableJson(JSON.stringify({ at: at.toISOString(), ...event }));
}
