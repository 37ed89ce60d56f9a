import type { EmbedInput } from '@gatehouse/proto/chat';
import type { JsonObject } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { checkRun } from './events/check-run.ts';
import { checkSuite } from './events/check-suite.ts';
import { commitComment } from './events/commit-comment.ts';
import { create } from './events/create.ts';
import { deleted } from './events/delete.ts';
import { discussion } from './events/discussion.ts';
import { discussionComment } from './events/discussion-comment.ts';
import { fork } from './events/fork.ts';
import { issueComment } from './events/issue-comment.ts';
import { issues } from './events/issues.ts';
import { member } from './events/member.ts';
import { madePublic } from './events/public.ts';
import { pullRequest } from './events/pull-request.ts';
import { pullRequestReview } from './events/pull-request-review.ts';
import { pullRequestReviewComment } from './events/pull-request-review-comment.ts';
import { push } from './events/push.ts';
import { release } from './events/release.ts';
import { repository } from './events/repository.ts';
import { watch } from './events/watch.ts';

/** How an event is rendered. */
export interface CodehostEvent {
  /** The values of `action` that are rendered. Without them, all are. */
  readonly actions?: readonly string[];
  /** The required objects of the payload, besides `repository`. */
  readonly needs?: readonly string[];
  /** Renders the embed. Action and objects are already checked. */
  readonly render: (payload: JsonObject) => Rendering<EmbedInput>;
}

const ON_CREATED = { actions: ['created'] };
const ON_STATE_CHANGE = { actions: ['opened', 'closed', 'reopened'] };

/** The supported events, by the value of X-Codehost-Event (docs/webhooks.md#code-host-events). */
export const EVENTS: ReadonlyMap<string, CodehostEvent> = new Map<string, CodehostEvent>([
  ['commit_comment', { ...ON_CREATED, needs: ['comment'], render: commitComment }],
  ['create', { render: create }],
  ['delete', { render: deleted }],
  ['fork', { needs: ['forkee'], render: fork }],
  ['issue_comment', { ...ON_CREATED, needs: ['comment', 'issue'], render: issueComment }],
  ['issues', { ...ON_STATE_CHANGE, needs: ['issue'], render: issues }],
  ['member', { actions: ['added'], needs: ['member'], render: member }],
  ['public', { render: madePublic }],
  ['pull_request', { ...ON_STATE_CHANGE, needs: ['pull_request'], render: pullRequest }],
  [
    'pull_request_review',
    { actions: ['submitted'], needs: ['review', 'pull_request'], render: pullRequestReview },
  ],
  [
    'pull_request_review_comment',
    { ...ON_CREATED, needs: ['comment', 'pull_request'], render: pullRequestReviewComment },
  ],
  ['push', { render: push }],
  ['release', { actions: ['published'], needs: ['release'], render: release }],
  ['watch', { actions: ['started'], render: watch }],
  ['check_run', { actions: ['completed'], needs: ['check_run'], render: checkRun }],
  ['check_suite', { actions: ['completed'], needs: ['check_suite'], render: checkSuite }],
  ['discussion', { ...ON_CREATED, needs: ['discussion'], render: discussion }],
  ['discussion_comment', { ...ON_CREATED, needs: ['comment', 'discussion'], render: discussionComment }],
  ['repository', { ...ON_CREATED, render: repository }],
]);
