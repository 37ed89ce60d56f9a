import type { EmbedInput } from '@gatehouse/proto/chat';
import { linkAt, textAt, type Untyped } from '../execution/untyped.ts';
import { author, embed, title } from './embed.ts';

const CREATED_COLOR = 0x2cbe4e;

export function fork(payload: Untyped): EmbedInput | undefined {
  return embed({
    title: title`[${fullName(payload)}] Fork created: ${textAt(payload, 'forkee', 'full_name')}`,
    url: linkAt(payload, 'forkee', 'html_url'),
    author: author(payload, 'sender'),
  });
}

export function member(payload: Untyped): EmbedInput | undefined {
  if (textAt(payload, 'action') !== 'added') return undefined;
  return embed({
    title: title`[${fullName(payload)}] New collaborator added: ${textAt(payload, 'member', 'login')}`,
    url: linkAt(payload, 'member', 'html_url'),
    author: author(payload, 'sender'),
  });
}

/** The event `public`. */
export function openSourced(payload: Untyped): EmbedInput | undefined {
  return embed({
    title: title`[${fullName(payload)}] Now open sourced!`,
    author: author(payload, 'sender'),
  });
}

export function release(payload: Untyped): EmbedInput | undefined {
  if (textAt(payload, 'action') !== 'published') return undefined;
  return embed({
    title: title`[${fullName(payload)}] New release published: ${textAt(payload, 'release', 'tag_name')}`,
    url: linkAt(payload, 'release', 'html_url'),
    author: author(payload, 'sender'),
  });
}

/** To "watch" is to star: the code host kept the event's old name. */
export function watch(payload: Untyped): EmbedInput | undefined {
  if (textAt(payload, 'action') !== 'started') return undefined;
  return embed({
    title: title`[${fullName(payload)}] New star added`,
    url: linkAt(payload, 'repository', 'html_url'),
    author: author(payload, 'sender'),
  });
}

export function repository(payload: Untyped): EmbedInput | undefined {
  if (textAt(payload, 'action') !== 'created') return undefined;
  return embed({
    title: title`[${fullName(payload)}] Repository created`,
    url: linkAt(payload, 'repository', 'html_url'),
    color: CREATED_COLOR,
    author: author(payload, 'sender'),
  });
}

function fullName(payload: Untyped): string | undefined {
  return textAt(payload, 'repository', 'full_name');
}
