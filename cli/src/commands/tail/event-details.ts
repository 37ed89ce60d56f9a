import type { GatewayEvent } from '../../gateway-client/frames.ts';
import { listOf, memberOf, textOf } from '../../json/members.ts';
import { plainText } from '../../output/plain-text.ts';
import { nameOfUser } from './known-names.ts';

export interface EventDetails {
  /** The author, or the user or role that the event is about. */
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
}

/** The details of an event, without its guild and channel. They may contain arbitrary text of its author. */
export function detailsOf({ t, d }: GatewayEvent): EventDetails {
  const detail = Object.hasOwn(DETAILS, t) ? DETAILS[t] : undefined;
  return detail === undefined ? { text: JSON.stringify(d) } : detail(d);
}

const none = () => ({});
const user = (d: unknown) => ({ subject: nameOfUser(memberOf(d, 'user')) });
const member = (d: unknown) => ({ subject: textOf(d, 'nick') ?? nameOfUser(memberOf(d, 'user')) });
const role = (d: unknown) => ({ subject: `@${textOf(d, 'role', 'name') ?? '?'}` });
const code = (d: unknown) => ({ text: textOf(d, 'code') });

const DETAILS: Readonly<Record<string, (d: unknown) => EventDetails>> = {
  READY: user,
  RESUMED: none,
  GUILD_CREATE: none,
  GUILD_UPDATE: none,
  GUILD_DELETE: none,
  GUILD_ROLE_CREATE: role,
  GUILD_ROLE_UPDATE: role,
  GUILD_ROLE_DELETE: (d) => ({ text: `role ${textOf(d, 'role_id') ?? '?'}` }),
  GUILD_MEMBER_ADD: member,
  GUILD_MEMBER_UPDATE: member,
  GUILD_MEMBER_REMOVE: user,
  CHANNEL_CREATE: none,
  CHANNEL_UPDATE: none,
  CHANNEL_DELETE: none,
  CHANNEL_RECIPIENT_ADD: user,
  CHANNEL_RECIPIENT_REMOVE: user,
  MESSAGE_CREATE: message,
  MESSAGE_UPDATE: message,
  MESSAGE_DELETE: (d) => ({ text: `message ${textOf(d, 'id') ?? '?'}` }),
  WEBHOOKS_UPDATE: none,
  INVITE_CREATE: code,
  INVITE_DELETE: code,
  USER_UPDATE: (d) => ({ subject: nameOfUser(d) }),
};

function message(d: unknown): EventDetails {
  const name = nameOfUser(memberOf(d, 'author'));
  const attachments = listOf(d, 'attachments').length;
  const parts = [
    textOf(d, 'content'),
    ...listOf(d, 'embeds').map(embedText),
    attachments > 0 ? `[${attachments === 1 ? '1 attachment' : `${attachments} attachments`}]` : undefined,
  ];
  return {
    subject: memberOf(d, 'author', 'bot') === true ? `${name ?? '?'} BOT` : name,
    text: parts
      .filter((part) => part !== undefined)
      .map(plainText)
      .join(' '),
  };
}

/** "┃ Release 2.0: Faster, lighter." */
function embedText(embed: unknown): string {
  const words = [textOf(embed, 'title') ?? textOf(embed, 'author', 'name'), textOf(embed, 'description')];
  return `┃ ${words.filter((text) => text !== undefined).join(': ') || 'embed'}`;
}
