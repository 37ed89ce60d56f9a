import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, objectAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { COLORS } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function issueComment(payload: Untyped): Rendering<EmbedInput> {
  const comment = objectAt(payload, 'comment');
  const { number, name } = subjectAt(payload, 'issue');
  // For the code host, a pull request is an issue with the member pull_request.
  const noun = objectAt(payload, 'issue', 'pull_request') === undefined ? 'issue' : 'pull request';
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] New comment on ${noun} #${number}: ${name}`,
    url: linkAt(comment, 'html_url'),
    color: COLORS.comment,
    description: textAt(comment, 'body'),
    author: authorAt(comment, 'user'),
  });
}
