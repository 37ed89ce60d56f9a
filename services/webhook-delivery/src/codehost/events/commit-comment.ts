import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, objectAt, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { shortSha } from '../commit.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';

export function commitComment(payload: JsonObject): Rendering<EmbedInput> {
  const comment = objectAt(payload, 'comment');
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] New comment on commit ${shortSha(textAt(comment, 'commit_id'))}`,
    url: linkAt(comment, 'html_url'),
    description: textAt(comment, 'body'),
    author: authorAt(comment, 'user'),
  });
}
