import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, objectAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { shortSha } from '../commit.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';

export function commitComment(payload: Untyped): Rendering<EmbedInput> {
  const comment = objectAt(payload, 'comment');
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] New comment on commit ${shortSha(textAt(comment, 'commit_id'))}`,
    url: linkAt(comment, 'html_url'),
    description: textAt(comment, 'body'),
    author: authorAt(comment, 'user'),
  });
}
