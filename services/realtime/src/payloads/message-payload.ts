import { accountsShown, viewMessage } from '@gatehouse/chat-client/message-view';
import type { MessageRow } from '@gatehouse/chat-client/rows';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { User } from '@gatehouse/proto/auth';
import { isObject, isStrings } from '../json-types.ts';
import { extend, writeMessage } from './texts.ts';

/** The text of a message, with its nonce and its guild's ID if it has them. */
export function messagePayload(
  payload: unknown,
  guildId: string | undefined,
  users: ReadonlyMap<string, User>,
): string | undefined {
  if (!isViewableMessage(payload)) return undefined;
  const { text, complete } = writeMessage({ ...viewMessage(payload, users), nonce: payload.nonce });
  if (!complete) return undefined;
  return guildId === undefined ? text : extend(text, { guild_id: JSON.stringify(guildId) });
}

/** The accounts whose users the message shows. */
export function messageAccounts(payload: unknown): readonly string[] {
  return isViewableMessage(payload) ? accountsShown(payload) : [];
}

/** Checks the members that the view needs. The writer checks the others. */
function isViewableMessage(payload: unknown): payload is MessageRow & { readonly nonce?: string } {
  return (
    isObject(payload) &&
    typeof payload.id === 'string' &&
    isSnowflake(payload.id) &&
    (payload.author_id === null || typeof payload.author_id === 'string') &&
    isStrings(payload.mention_ids) &&
    isStrings(payload.mention_role_ids) &&
    Array.isArray(payload.embeds)
  );
}
