import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, objectAt, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { COLORS } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function pullRequestReview(payload: JsonObject): Rendering<EmbedInput> {
  const review = objectAt(payload, 'review');
  const { number, title } = subjectAt(payload, 'pull_request');
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] Pull request review submitted: #${number} ${title}`,
    url: linkAt(review, 'html_url'),
    color: COLORS.black,
    description: textAt(review, 'body'),
    author: authorAt(review, 'user'),
  });
}
