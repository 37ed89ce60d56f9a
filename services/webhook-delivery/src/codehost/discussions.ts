import type { EmbedInput } from '@gatehouse/proto/chat';
import { integerAt, linkAt, objectAt, textAt, type Untyped } from '../execution/untyped.ts';
import { author, embed, title } from './embed.ts';

const COLOR = 0xe6c2b0;

export function discussion(payload: Untyped): EmbedInput | undefined {
  if (textAt(payload, 'action') !== 'created') return undefined;
  const repo = textAt(payload, 'repository', 'full_name');
  const about = objectAt(payload, 'discussion');
  return embed({
    title: title`[${repo}] New discussion #${integerAt(about, 'number')}: ${textAt(about, 'title')}`,
    url: linkAt(about, 'html_url'),
    color: COLOR,
    description: textAt(about, 'body'),
    author: author(about, 'user'),
  });
}

export function discussionComment(payload: Untyped): EmbedInput | undefined {
  const comment = objectAt(payload, 'comment');
  if (textAt(payload, 'action') !== 'created' || comment === undefined) return undefined;
  const repo = textAt(payload, 'repository', 'full_name');
  const about = objectAt(payload, 'discussion');
  return embed({
    title: title`[${repo}] New comment on discussion #${integerAt(about, 'number')}: ${textAt(about, 'title')}`,
    url: linkAt(comment, 'html_url'),
    color: COLOR,
    description: textAt(comment, 'body'),
    author: author(comment, 'user'),
  });
}
