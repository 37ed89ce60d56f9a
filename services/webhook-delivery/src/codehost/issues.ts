import type { EmbedInput } from '@gatehouse/proto/chat';
import { integerAt, linkAt, objectAt, textAt, type Untyped } from '../execution/untyped.ts';
import { author, embed, title } from './embed.ts';

const COLORS: ReadonlyMap<string | undefined, number> = new Map([
  ['opened', 0xeb4841],
  ['closed', 0x000000],
  ['reopened', 0xfcbd1f],
]);
const COMMENT_COLOR = 0xc00a7f;

export function issues(payload: Untyped): EmbedInput | undefined {
  const action = textAt(payload, 'action');
  const color = COLORS.get(action);
  if (color === undefined) return undefined;
  const repo = textAt(payload, 'repository', 'full_name');
  const issue = objectAt(payload, 'issue');
  return embed({
    title: title`[${repo}] Issue ${action}: #${integerAt(issue, 'number')} ${textAt(issue, 'title')}`,
    url: linkAt(issue, 'html_url'),
    color,
    description: action === 'opened' ? textAt(issue, 'body') : undefined,
    author: author(payload, 'sender'),
  });
}

export function issueComment(payload: Untyped): EmbedInput | undefined {
  const comment = objectAt(payload, 'comment');
  if (textAt(payload, 'action') !== 'created' || comment === undefined) return undefined;
  const repo = textAt(payload, 'repository', 'full_name');
  const issue = objectAt(payload, 'issue');
  // The code host counts pull requests among issues, and marks them so.
  const noun = objectAt(issue, 'pull_request') === undefined ? 'issue' : 'pull request';
  return embed({
    title: title`[${repo}] New comment on ${noun} #${integerAt(issue, 'number')}: ${textAt(issue, 'title')}`,
    url: linkAt(comment, 'html_url'),
    color: COMMENT_COLOR,
    description: textAt(comment, 'body'),
    author: author(comment, 'user'),
  });
}
