import type { EmbedInput } from '@gatehouse/proto/chat';
import { objectAt, type Untyped } from '../execution/untyped.ts';
import { checkRun, checkSuite } from './checks.ts';
import { commitComment } from './commit-comment.ts';
import { discussion, discussionComment } from './discussions.ts';
import { issueComment, issues } from './issues.ts';
import { pullRequest, pullRequestReview, pullRequestReviewComment } from './pull-requests.ts';
import { push } from './push.ts';
import { created, deleted } from './refs.ts';
import { fork, member, openSourced, release, repository, watch } from './repositories.ts';

type Renderer = (payload: Untyped) => EmbedInput | undefined;

/** The events that can render, by the value of X-Codehost-Event (docs/webhooks.md#code-host-events). */
const RENDERERS: ReadonlyMap<string, Renderer> = new Map<string, Renderer>([
  ['check_run', checkRun],
  ['check_suite', checkSuite],
  ['commit_comment', commitComment],
  ['create', created],
  ['delete', deleted],
  ['discussion', discussion],
  ['discussion_comment', discussionComment],
  ['fork', fork],
  ['issue_comment', issueComment],
  ['issues', issues],
  ['member', member],
  ['public', openSourced],
  ['pull_request', pullRequest],
  ['pull_request_review', pullRequestReview],
  ['pull_request_review_comment', pullRequestReviewComment],
  ['push', push],
  ['release', release],
  ['repository', repository],
  ['watch', watch],
]);

/**
 * A code host's event as an embed, or undefined when there is nothing to show. It never throws: the
 * payload may have any shape, and a member that is missing or malformed counts as absent.
 */
export function renderCodehost(event: string | null | undefined, payload: Untyped): EmbedInput | undefined {
  const renderer = RENDERERS.get(event?.trim() ?? '');
  if (renderer === undefined || objectAt(payload, 'repository') === undefined) return undefined;
  return renderer(payload);
}
