import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import type { Untyped } from '../../execution/untyped.ts';
import { COLORS } from '../colors.ts';
import { authorAt, embed, fullNameOf, title } from '../embed.ts';
import { subjectAt } from '../subject.ts';

export function discussion(payload: Untyped): Rendering<EmbedInput> {
  const { it, number, name, url, body } = subjectAt(payload, 'discussion');
  return embed({
    title: title`[${fullNameOf(payload)}] New discussion #${number}: ${name}`,
    url,
    color: COLORS.discussion,
    description: body,
    author: authorAt(it, 'user'),
  });
}
