import { describe, expect, it } from 'vitest';
import { renderCodehost } from '../src/codehost/render.ts';
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
  render,
  repository,
  review,
  sender,
} from './codehost-fixtures.ts';

describe('an event whose action or own object does not fit renders nothing', () => {
  it.each<[event: string, payload: object]>([
    ['commit_comment', { action: 'edited', comment }],
    ['commit_comment', { action: 'created', comment: { ...comment, commit_id: null } }],
    ['commit_comment', { action: 'created' }],
    ['create', { ref_type: 'repository', ref: 'side' }],
    ['create', { ref: 'side' }],
    ['create', { ref_type: 'branch' }],
    ['delete', { ref_type: 'wiki', ref: 'side' }],
    ['fork', {}],
    ['fork', { forkee: null }],
    ['issue_comment', { action: 'edited', comment, issue }],
    ['issue_comment', { action: 'created', issue }],
    ['issue_comment', { action: 'created', comment }],
    ['issues', { action: 'labeled', issue }],
    ['issues', { action: 'opened' }],
    ['issues', { issue }],
    ['issues', { action: ['opened'], issue }],
    ['issues', { action: 'constructor', issue }],
    ['issues', { action: 'opened', issue: { ...issue, number: '7' } }],
    ['member', { action: 'removed', member: bob }],
    ['member', { action: 'added' }],
    ['pull_request', { action: 'synchronize', pull_request }],
    ['pull_request', { action: 'opened', issue }],
    ['pull_request_review', { action: 'dismissed', review, pull_request }],
    ['pull_request_review', { action: 'submitted', pull_request }],
    ['pull_request_review', { action: 'submitted', review }],
    ['pull_request_review_comment', { action: 'deleted', comment, pull_request }],
    ['pull_request_review_comment', { action: 'created', comment }],
    ['push', { ...push, commits: [] }],
    ['push', { ...push, commits: undefined }],
    ['push', { ...push, commits: { 0: commit, length: 1 } }],
    ['push', { ...push, ref: undefined }],
    ['push', { ...push, compare: null }],
    ['push', { ...push, compare: ' ' }],
    ['push', { ...push, forced: true }],
    ['push', { ...forced, head_commit: null }],
    ['push', { ...forced, compare: undefined }],
    ['release', { action: 'created', release: { tag_name: 'v1' } }],
    ['release', { action: 'published' }],
    ['watch', { action: 'deleted' }],
    ['check_run', { action: 'created', check_run }],
    ['check_run', { action: 'completed' }],
    [
      'check_run',
      { action: 'completed', check_run: { ...check_run, check_suite: { conclusion: 'skipped' } } },
    ],
    ['check_suite', { action: 'requested', check_suite }],
    ['check_suite', { action: 'completed', check_suite: { ...check_suite, conclusion: 'skipped' } }],
    ['check_suite', { action: 'completed' }],
    ['discussion', { action: 'answered', discussion }],
    ['discussion', { action: 'created' }],
    ['discussion_comment', { action: 'edited', discussion, comment }],
    ['discussion_comment', { action: 'created', discussion }],
    ['discussion_comment', { action: 'created', comment }],
    ['repository', { action: 'deleted' }],
    ['ping', { zen: 'Keep it logically awesome.' }],
    ['', push],
    ['PUSH', push],
    ['__proto__', push],
    ['constructor', push],
  ])('%s %#', (event, payload) => {
    expect(render(event, payload)).toBeUndefined();
  });

  it('neither does an absent event', () => {
    expect(renderCodehost(undefined, { repository, sender, ...push })).toBeUndefined();
    expect(renderCodehost(null, { repository, sender, ...push })).toBeUndefined();
  });
});
