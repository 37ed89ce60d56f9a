import type { EmbedInput } from '@gatehouse/proto/chat';
import type { JsonObject } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { COLORS } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function discussion(payload: JsonObject): Rendering<EmbedInput> {
  const { object, number, title, url, body } = subjectAt(payload, 'discussion');
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] New discussion #${number}: ${title}`,
    url,
    color: COLORS.discussion,
    description: body,
    author: authorAt(object, 'user'),
  });
}
