import type { EmbedInput } from '@gatehouse/proto/chat';
import { describe, expect, it } from 'vitest';
import {
  adaAuthor,
  bob,
  bobAuthor,
  check_run,
  check_suite,
  comment,
  discussion,
  EMPTY_EMBED,
  forced,
  issue,
  pull_request,
  push,
  render,
  renderingOf,
  repository,
  review,
  SHA,
} from './codehost-fixtures.ts';

describe('every event renders with its title, link, description, author and color', () => {
  const rows: [event: string, payload: object, embed: Partial<EmbedInput>][] = [
    [
      'commit_comment',
      { action: 'created', comment },
      {
        title: '[octo/hall] New comment on commit `0123456`',
        url: 'https://code.test/c/1',
        description: 'Nice.',
        author: bobAuthor,
      },
    ],
    [
      'create',
      { ref_type: 'branch', ref: 'side' },
      { title: '[octo/hall] New branch created: side', author: adaAuthor },
    ],
    [
      'create',
      { ref_type: 'tag', ref: 'v1' },
      { title: '[octo/hall] New tag created: v1', author: adaAuthor },
    ],
    [
      'delete',
      { ref_type: 'branch', ref: 'side' },
      { title: '[octo/hall] Branch deleted: side', author: adaAuthor },
    ],
    ['delete', { ref_type: 'tag', ref: 'v1' }, { title: '[octo/hall] Tag deleted: v1', author: adaAuthor }],
    [
      'fork',
      { forkee: { full_name: 'bob/hall', html_url: 'https://code.test/bob/hall' } },
      {
        title: '[octo/hall] Fork created: bob/hall',
        url: 'https://code.test/bob/hall',
        author: adaAuthor,
      },
    ],
    [
      'issue_comment',
      { action: 'created', comment, issue },
      {
        title: '[octo/hall] New comment on issue #7: Door sticks',
        url: 'https://code.test/c/1',
        color: 0xc00a7f,
        description: 'Nice.',
        author: bobAuthor,
      },
    ],
    [
      'issue_comment',
      { action: 'created', comment, issue: { ...issue, pull_request: {} } },
      {
        title: '[octo/hall] New comment on pull request #7: Door sticks',
        url: 'https://code.test/c/1',
        color: 0xc00a7f,
        description: 'Nice.',
        author: bobAuthor,
      },
    ],
    [
      'issues',
      { action: 'opened', issue },
      {
        title: '[octo/hall] Issue opened: #7 Door sticks',
        url: 'https://code.test/i/7',
        color: 0xeb4841,
        description: 'Always.',
        author: adaAuthor,
      },
    ],
    [
      'issues',
      { action: 'closed', issue },
      {
        title: '[octo/hall] Issue closed: #7 Door sticks',
        url: 'https://code.test/i/7',
        color: 0,
        author: adaAuthor,
      },
    ],
    [
      'issues',
      { action: 'reopened', issue },
      {
        title: '[octo/hall] Issue reopened: #7 Door sticks',
        url: 'https://code.test/i/7',
        color: 0xfcbd1f,
        author: adaAuthor,
      },
    ],
    [
      'member',
      { action: 'added', member: bob },
      {
        title: '[octo/hall] New collaborator added: bob',
        url: 'https://code.test/bob',
        author: adaAuthor,
      },
    ],
    ['public', {}, { title: '[octo/hall] Now open sourced!', author: adaAuthor }],
    [
      'pull_request',
      { action: 'opened', pull_request },
      {
        title: '[octo/hall] Pull request opened: #7 Oil it',
        url: 'https://code.test/p/7',
        color: 0x098efc,
        description: 'Always.',
        author: bobAuthor,
      },
    ],
    [
      'pull_request',
      { action: 'closed', pull_request },
      {
        title: '[octo/hall] Pull request closed: #7 Oil it',
        url: 'https://code.test/p/7',
        color: 0,
        author: bobAuthor,
      },
    ],
    [
      'pull_request',
      { action: 'reopened', pull_request },
      {
        title: '[octo/hall] Pull request reopened: #7 Oil it',
        url: 'https://code.test/p/7',
        color: 0xfcbd1f,
        author: bobAuthor,
      },
    ],
    [
      'pull_request_review',
      { action: 'submitted', review, pull_request },
      {
        title: '[octo/hall] Pull request review submitted: #7 Oil it',
        url: 'https://code.test/r/1',
        color: 0,
        description: 'Fine.',
        author: bobAuthor,
      },
    ],
    [
      'pull_request_review_comment',
      { action: 'created', comment, pull_request },
      {
        title: '[octo/hall] New review comment on pull request #7: Oil it',
        url: 'https://code.test/c/1',
        color: 0xc00a7f,
        description: 'Nice.',
        author: bobAuthor,
      },
    ],
    [
      'push',
      push,
      {
        title: '[hall:main] 1 new commit',
        url: 'https://code.test/compare',
        color: 0x7289da,
        description: `[\`0123456\`](https://code.test/commit/${SHA}) Oil hinges - Ada`,
        author: adaAuthor,
      },
    ],
    [
      'push',
      forced,
      {
        title: '[hall] Branch main was force-pushed to `0123456`',
        url: 'https://code.test/compare',
        color: 0xfcbd1f,
        description: '[Compare changes](https://code.test/compare)',
        author: adaAuthor,
      },
    ],
    [
      'release',
      { action: 'published', release: { tag_name: 'v1', html_url: 'https://code.test/v1' } },
      { title: '[octo/hall] New release published: v1', url: 'https://code.test/v1', author: adaAuthor },
    ],
    [
      'watch',
      { action: 'started' },
      { title: '[octo/hall] New star added', url: 'https://code.test/octo/hall', author: adaAuthor },
    ],
    [
      'check_run',
      { action: 'completed', check_run },
      {
        title: '[hall] lint failure on main',
        url: `https://code.test/octo/hall/commit/${SHA}`,
        color: 0xfc2929,
      },
    ],
    [
      'check_run',
      { action: 'completed', check_run: { ...check_run, check_suite: { ...check_suite, conclusion: null } } },
      {
        title: '[hall] lint failure on main',
        url: `https://code.test/octo/hall/commit/${SHA}`,
        color: 0xfc2929,
      },
    ],
    [
      'check_run',
      { action: 'completed', check_run: { ...check_run, conclusion: 'success' } },
      {
        title: '[hall] lint success on main',
        url: `https://code.test/octo/hall/commit/${SHA}`,
        color: 0x009800,
      },
    ],
    [
      'check_suite',
      { action: 'completed', check_suite },
      {
        title: '[hall] Linter checks success on main',
        url: `https://code.test/octo/hall/commit/${SHA}`,
        color: 0x009800,
      },
    ],
    [
      'check_suite',
      { action: 'completed', check_suite: { ...check_suite, conclusion: 'timed_out' } },
      {
        title: '[hall] Linter checks timed_out on main',
        url: `https://code.test/octo/hall/commit/${SHA}`,
        color: 0xfc2929,
      },
    ],
    [
      'discussion',
      { action: 'created', discussion },
      {
        title: '[octo/hall] New discussion #3: Paint',
        url: 'https://code.test/d/3',
        color: 0xe6c2b0,
        description: 'Which?',
        author: bobAuthor,
      },
    ],
    [
      'discussion_comment',
      { action: 'created', discussion, comment },
      {
        title: '[octo/hall] New comment on discussion #3: Paint',
        url: 'https://code.test/c/1',
        color: 0xe6c2b0,
        description: 'Nice.',
        author: bobAuthor,
      },
    ],
    [
      'repository',
      { action: 'created' },
      {
        title: '[octo/hall] Repository created',
        url: 'https://code.test/octo/hall',
        color: 0x2cbe4e,
        author: adaAuthor,
      },
    ],
  ];
  it.each(rows)('%s %#', (event, payload, embed) => {
    expect(render(event, payload)).toEqual({ ...EMPTY_EMBED, ...embed });
  });

  it.each(rows)('%s renders nothing without its repository %#', (event, payload) => {
    for (const other of [undefined, null, [repository], 'octo/hall'])
      expect(renderingOf(event, { ...payload, repository: other })).toEqual({
        nothing: 'repository_missing',
      });
    expect(renderingOf(event, { ...payload, repository: {} })).toEqual({ nothing: 'incomplete' });
  });

  it.each(rows)('%s renders without an author if it names no user %#', (event, payload, embed) => {
    const unsigned = JSON.parse(JSON.stringify(payload), (key, value) => (key === 'user' ? null : value));
    for (const nobody of [undefined, null, {}, 'ada', { login: 7 }])
      expect(render(event, { ...unsigned, sender: nobody })).toEqual({
        ...EMPTY_EMBED,
        ...embed,
        author: null,
      });
  });
});
