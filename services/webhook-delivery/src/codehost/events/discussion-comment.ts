import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, objectAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { COLORS } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function discussionComment(payload: Untyped): Rendering<EmbedInput> {
  const comment = objectAt(payload, 'comment');
  const { number, name } = subjectAt(payload, 'discussion');
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] New comment on discussion #${number}: ${name}`,
    url: linkAt(comment, 'html_url'),
    color: COLORS.discussion,
    description: textAt(comment, 'body'),
    author: authorAt(comment, 'user'),
  });
}
