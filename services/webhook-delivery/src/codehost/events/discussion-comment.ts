import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, objectAt, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { COLORS } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function discussionComment(payload: JsonObject): Rendering<EmbedInput> {
  const comment = objectAt(payload, 'comment');
  const { number, title } = subjectAt(payload, 'discussion');
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] New comment on discussion #${number}: ${title}`,
    url: linkAt(comment, 'html_url'),
    color: COLORS.discussion,
    description: textAt(comment, 'body'),
    author: authorAt(comment, 'user'),
  });
}
