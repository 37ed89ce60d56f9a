import type { EmbedInput } from '@gatehouse/proto/chat';
import { integerAt, linkAt, objectAt, textAt, type Untyped } from '../execution/untyped.ts';
import { author, embed, title } from './embed.ts';

const COLORS: ReadonlyMap<string | undefined, number> = new Map([
  ['opened', 0x098efc],
  ['closed', 0x000000],
  ['reopened', 0xfcbd1f],
]);
const REVIEW_COLOR = 0x000000;
const COMMENT_COLOR = 0xc00a7f;

export function pullRequest(payload: Untyped): EmbedInput | undefined {
  const action = textAt(payload, 'action');
  const color = COLORS.get(action);
  if (color === undefined) return undefined;
  const { repo, number, name, pull } = subject(payload);
  return embed({
    title: title`[${repo}] Pull request ${action}: #${number} ${name}`,
    url: linkAt(pull, 'html_url'),
    color,
    description: action === 'opened' ? textAt(pull, 'body') : undefined,
    author: author(pull, 'user'),
  });
}

export function pullRequestReview(payload: Untyped): EmbedInput | undefined {
  const review = objectAt(payload, 'review');
  if (textAt(payload, 'action') !== 'submitted' || review === undefined) return undefined;
  const { repo, number, name } = subject(payload);
  return embed({
    title: title`[${repo}] Pull request review submitted: #${number} ${name}`,
    url: linkAt(review, 'html_url'),
    color: REVIEW_COLOR,
    description: textAt(review, 'body'),
    author: author(review, 'user'),
  });
}

export function pullRequestReviewComment(payload: Untyped): EmbedInput | undefined {
  const comment = objectAt(payload, 'comment');
  if (textAt(payload, 'action') !== 'created' || comment === undefined) return undefined;
  const { repo, number, name } = subject(payload);
  return embed({
    title: title`[${repo}] New review comment on pull request #${number}: ${name}`,
    url: linkAt(comment, 'html_url'),
    color: COMMENT_COLOR,
    description: textAt(comment, 'body'),
    author: author(comment, 'user'),
  });
}

function subject(payload: Untyped) {
  const pull = objectAt(payload, 'pull_request');
  return {
    pull,
    repo: textAt(payload, 'repository', 'full_name'),
    number: integerAt(pull, 'number'),
    name: textAt(pull, 'title'),
  };
}
