import { plainText } from '@gatehouse/cli/output/plain-text';
import type { GatewayEvent } from './frames.ts';
import { listOf, memberOf, textOf } from './members.ts';
import { type Names, nameOfUser } from './names.ts';

export interface Details {
  /** Who wrote it, or whom it is about. */
  readonly who?: string | undefined;
  readonly text?: string | undefined;
}

/** What there is to say of an event, besides where it happened. It may hold anything that its author wrote. */
export function detailsOf({ t, d }: GatewayEvent, names: Names): Details {
  const tell = Object.hasOwn(DETAILS, t) ? DETAILS[t] : undefined;
  return tell === undefined ? { text: JSON.stringify(d) } : tell(d, names);
}

const none = () => ({});
const user = (d: unknown) => ({ who: nameOfUser(memberOf(d, 'user')) });
const code = (d: unknown) => ({ text: textOf(d, 'code') });
const role = (d: unknown) => ({ who: `@${textOf(d, 'role', 'name') ?? textOf(d, 'role', 'id') ?? '?'}` });

const DETAILS: Readonly<Record<string, (d: unknown, names: Names) => Details>> = {
  READY: (d) => ({ ...user(d), text: counted(d, ['guilds', 'guild'], ['private_channels', 'DM']) }),
  RESUMED: none,
  GUILD_CREATE: (d) => ({ text: counted(d, ['channels', 'channel'], ['members', 'member']) }),
  GUILD_UPDATE: none,
  GUILD_DELETE: none,
  GUILD_ROLE_CREATE: role,
  GUILD_ROLE_UPDATE: role,
  GUILD_ROLE_DELETE: (d, names) => {
    const id = textOf(d, 'role_id') ?? '?';
    return { who: `@${names.role(id) ?? id}` };
  },
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
  USER_UPDATE: (d) => ({ who: nameOfUser(d) }),
};

/** "2 guilds, 1 DM", of these lists. */
function counted(d: unknown, ...lists: readonly (readonly [name: string, noun: string])[]): string {
  return lists.map(([name, noun]) => plural(listOf(d, name).length, noun)).join(', ');
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function member(d: unknown, names: Names): Details {
  const held = listOf(d, 'roles').map((id) => `@${names.role(String(id)) ?? id}`);
  return {
    who: textOf(d, 'nick') ?? nameOfUser(memberOf(d, 'user')),
    text: held.length === 0 ? undefined : `with ${held.join(', ')}`,
  };
}

function message(d: unknown): Details {
  const name = nameOfUser(memberOf(d, 'author'));
  const attachments = listOf(d, 'attachments').length;
  const parts = [
    textOf(d, 'content'),
    embeds(listOf(d, 'embeds')),
    attachments > 0 ? `[${plural(attachments, 'attachment')}]` : undefined,
  ];
  return {
    who: memberOf(d, 'author', 'bot') === true ? `${name ?? '?'} BOT` : name,
    text: parts
      .filter((part) => part !== undefined)
      .map(plainText)
      .join(' '),
  };
}

/** "┃ Release 2.0: Faster, lighter. (2 fields) and 1 more embed" */
function embeds([first, ...more]: readonly unknown[]): string | undefined {
  if (first === undefined) return undefined;
  const words = [textOf(first, 'title') ?? textOf(first, 'author', 'name'), textOf(first, 'description')];
  const fields = listOf(first, 'fields').length;
  const shown = [
    words.filter((text) => text !== undefined).join(': ') || 'embed',
    ...(fields > 0 ? [`(${plural(fields, 'field')})`] : []),
  ];
  return `┃ ${shown.join(' ')}${more.length === 0 ? '' : ` and ${plural(more.length, 'more embed')}`}`;
}
