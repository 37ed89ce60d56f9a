import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import type { Untyped } from '../../execution/untyped.ts';
import { COLORS } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function discussion(payload: Untyped): Rendering<EmbedInput> {
  const { object, number, name, url, body } = subjectAt(payload, 'discussion');
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] New discussion #${number}: ${name}`,
    url,
    color: COLORS.discussion,
    description: body,
    author: authorAt(object, 'user'),
  });
}
