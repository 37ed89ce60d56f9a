import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, objectAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { COLORS } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function pullRequestReview(payload: Untyped): Rendering<EmbedInput> {
  const review = objectAt(payload, 'review');
  const { number, name } = subjectAt(payload, 'pull_request');
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] Pull request review submitted: #${number} ${name}`,
    url: linkAt(review, 'html_url'),
    color: COLORS.black,
    description: textAt(review, 'body'),
    author: authorAt(review, 'user'),
  });
}
