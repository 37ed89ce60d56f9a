import type { EmbedInput } from '@gatehouse/proto/chat';
import { linkAt, textAt, type Untyped } from '../execution/untyped.ts';
import { author, embed, shortSha, title } from './embed.ts';

export function commitComment(payload: Untyped): EmbedInput | undefined {
  if (textAt(payload, 'action') !== 'created') return undefined;
  const repo = textAt(payload, 'repository', 'full_name');
  const sha = shortSha(textAt(payload, 'comment', 'commit_id'));
  return embed({
    title: title`[${repo}] New comment on commit ${sha}`,
    url: linkAt(payload, 'comment', 'html_url'),
    description: textAt(payload, 'comment', 'body'),
    author: author(payload, 'comment', 'user'),
  });
}
