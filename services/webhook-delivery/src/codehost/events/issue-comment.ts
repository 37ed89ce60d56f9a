import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, objectAt, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { COLORS } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function issueComment(payload: JsonObject): Rendering<EmbedInput> {
  const comment = objectAt(payload, 'comment');
  const { number, title } = subjectAt(payload, 'issue');
  // For the code host, a pull request is an issue with the member pull_request.
  const noun = objectAt(payload, 'issue', 'pull_request') === undefined ? 'issue' : 'pull request';
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] New comment on ${noun} #${number}: ${title}`,
    url: linkAt(comment, 'html_url'),
    color: COLORS.comment,
    description: textAt(comment, 'body'),
    author: authorAt(comment, 'user'),
  });
}
