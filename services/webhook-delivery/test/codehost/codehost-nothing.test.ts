import { describe, expect, it } from 'vitest';
import { renderCodehost } from '../../src/codehost/render.ts';
import type { NothingReason } from '../../src/store/delivery.ts';
import {
  bob,
  check_run,
  check_suite,
  comment,
  commit,
  discussion,
  forced,
  issue,
  pull_request,
  push,
  renderingOf,
  repository,
  review,
  sender,
} from './codehost-fixtures.ts';

const skipped = { ...check_suite, conclusion: 'skipped' };

describe('an incomplete payload renders nothing, with a reason', () => {
  it.each<[reason: NothingReason, event: string, payload: object]>([
    ['action_not_shown', 'commit_comment', { action: 'edited', comment }],
    ['incomplete', 'commit_comment', { action: 'created', comment: { ...comment, commit_id: null } }],
    ['incomplete', 'commit_comment', { action: 'created' }],
    ['ref_not_shown', 'create', { ref_type: 'repository', ref: 'side' }],
    ['ref_not_shown', 'create', { ref_type: ['branch'], ref: 'side' }],
    ['ref_not_shown', 'create', { ref: 'side' }],
    ['incomplete', 'create', { ref_type: 'branch' }],
    ['ref_not_shown', 'delete', { ref_type: 'wiki', ref: 'side' }],
    ['incomplete', 'delete', { ref_type: 'tag', ref: ' ' }],
    ['incomplete', 'fork', {}],
    ['incomplete', 'fork', { forkee: null }],
    ['incomplete', 'fork', { forkee: { full_name: '\u202e\u0000' } }],
    ['action_not_shown', 'issue_comment', { action: 'edited', comment, issue }],
    ['incomplete', 'issue_comment', { action: 'created', issue }],
    ['incomplete', 'issue_comment', { action: 'created', comment }],
    ['action_not_shown', 'issues', { action: 'labeled', issue }],
    ['action_not_shown', 'issues', { issue }],
    ['action_not_shown', 'issues', { action: ['opened'], issue }],
    ['action_not_shown', 'issues', { action: 'constructor', issue }],
    ['action_not_shown', 'issues', { action: '__proto__', issue }],
    ['incomplete', 'issues', { action: 'opened' }],
    ['incomplete', 'issues', { action: 'opened', issue: [issue] }],
    ['incomplete', 'issues', { action: 'opened', issue: { ...issue, number: '7' } }],
    ['incomplete', 'issues', { action: 'opened', issue: Object.create(issue) }],
    ['action_not_shown', 'member', { action: 'removed', member: bob }],
    ['incomplete', 'member', { action: 'added' }],
    ['action_not_shown', 'pull_request', { action: 'synchronize', pull_request }],
    ['incomplete', 'pull_request', { action: 'opened', issue }],
    ['action_not_shown', 'pull_request_review', { action: 'dismissed', review, pull_request }],
    ['incomplete', 'pull_request_review', { action: 'submitted', pull_request }],
    ['incomplete', 'pull_request_review', { action: 'submitted', review }],
    ['action_not_shown', 'pull_request_review_comment', { action: 'deleted', comment, pull_request }],
    ['incomplete', 'pull_request_review_comment', { action: 'created', comment }],
    ['incomplete', 'pull_request_review_comment', { action: 'created', pull_request }],
    ['no_commits', 'push', { ...push, commits: [] }],
    ['no_commits', 'push', { ...push, commits: undefined }],
    ['no_commits', 'push', { ...push, commits: { 0: commit, length: 1 } }],
    ['no_commits', 'push', { ...push, commits: [null, 7] }],
    ['no_commits', 'push', { ...push, deleted: true, head_commit: null, commits: [] }],
    ['incomplete', 'push', { ...push, ref: undefined }],
    ['incomplete', 'push', { ...push, compare: null }],
    ['incomplete', 'push', { ...push, compare: ' ' }],
    ['no_commits', 'push', { ...push, forced: true }],
    ['no_commits', 'push', { ...forced, head_commit: null }],
    ['incomplete', 'push', { ...forced, compare: undefined }],
    ['incomplete', 'push', { ...forced, head_commit: {} }],
    ['action_not_shown', 'release', { action: 'created', release: { tag_name: 'v1' } }],
    ['incomplete', 'release', { action: 'published' }],
    ['incomplete', 'release', { action: 'published', release: { name: 'One' } }],
    ['action_not_shown', 'watch', { action: 'deleted' }],
    ['action_not_shown', 'check_run', { action: 'created', check_run }],
    ['incomplete', 'check_run', { action: 'completed' }],
    ['incomplete', 'check_run', { action: 'completed', check_run: { ...check_run, conclusion: null } }],
    [
      'check_skipped',
      'check_run',
      { action: 'completed', check_run: { ...check_run, check_suite: skipped } },
    ],
    ['action_not_shown', 'check_suite', { action: 'requested', check_suite }],
    ['check_skipped', 'check_suite', { action: 'completed', check_suite: skipped }],
    ['incomplete', 'check_suite', { action: 'completed' }],
    ['action_not_shown', 'discussion', { action: 'answered', discussion }],
    ['incomplete', 'discussion', { action: 'created' }],
    ['action_not_shown', 'discussion_comment', { action: 'edited', discussion, comment }],
    ['incomplete', 'discussion_comment', { action: 'created', discussion }],
    ['incomplete', 'discussion_comment', { action: 'created', comment }],
    ['action_not_shown', 'repository', { action: 'deleted' }],
    ['event_unknown', 'ping', { zen: 'Keep it logically awesome.' }],
    ['event_unknown', 'PUSH', push],
    ['event_unknown', '__proto__', push],
    ['event_unknown', 'constructor', push],
    ['event_unknown', 'toString', push],
    ['event_missing', '', push],
    ['event_missing', ' ', push],
  ])('%s: %s %#', (reason, event, payload) => {
    expect(renderingOf(event, payload)).toEqual({ nothing: reason });
  });

  it('an absent event is missing', () => {
    const payload = { repository, sender, ...push };
    expect(renderCodehost(undefined, payload)).toEqual({ nothing: 'event_missing' });
    expect(renderCodehost(null, payload)).toEqual({ nothing: 'event_missing' });
  });
});
