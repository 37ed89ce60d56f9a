import { describe, expect, it } from 'vitest';
import type { Embed } from '../support/objects.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';

const HOME = 'https://code.example/acme/rocket';
const repository = { full_name: 'acme/rocket', name: 'rocket', html_url: HOME };
const account = (login: string) => ({
  login,
  html_url: `https://code.example/${login}`,
  avatar_url: `https://code.example/${login}.png`,
});
const author = (name: string) => ({
  name,
  url: `https://code.example/${name}`,
  icon_url: `https://code.example/${name}.png`,
});
const sender = account('sam');
const SHA = 'abcdef0123456789abcdef0123456789abcdef01';
const AT = `${HOME}/at`;
const remark = { html_url: AT, user: account('cleo'), body: 'Well said', commit_id: SHA };
const issue = { number: 7, title: 'It leaks', html_url: AT, user: account('ivy'), body: 'Water everywhere' };
const pull_request = { number: 8, title: 'Mend it', html_url: AT, user: account('pat'), body: 'A patch' };
const discussion = { number: 9, title: 'Shall we', html_url: AT, user: account('dee'), body: 'Or not' };
const member = account('mia');
const release = { tag_name: 'v1.2', html_url: AT, name: 'One two', body: 'Notes' };
const suiteOf = (conclusion: string | null) => ({
  conclusion,
  head_sha: SHA,
  head_branch: 'main',
  app: { name: 'Robot' },
});
const run = (conclusion: string | null, parent: string | null = conclusion) => ({
  name: 'lint',
  conclusion,
  head_sha: SHA,
  html_url: AT,
  check_suite: suiteOf(parent),
});
const forced = { ref: 'refs/heads/main', compare: AT, forced: true, head_commit: { id: SHA }, commits: [] };
const COMPARE = { description: `[Compare changes](${AT})`, url: AT, color: 0xfcbd1f };
const commit = { id: SHA, url: AT, message: 'Fix', author: { name: 'Grace' } };

type Row = [event: string, payload: object, embed: Partial<Embed>, by?: string];

/** What each event becomes. `by`: who is its author. */
const RENDERED: Row[] = [
  [
    'commit_comment',
    { action: 'created', comment: remark },
    { title: '[acme/rocket] New comment on commit `abcdef0`', url: AT, description: 'Well said' },
    'cleo',
  ],
  ['create', { ref: 'dev', ref_type: 'branch' }, { title: '[acme/rocket] New branch created: dev' }, 'sam'],
  ['create', { ref: 'v1', ref_type: 'tag' }, { title: '[acme/rocket] New tag created: v1' }, 'sam'],
  ['delete', { ref: 'dev', ref_type: 'branch' }, { title: '[acme/rocket] Branch deleted: dev' }, 'sam'],
  ['delete', { ref: 'v1', ref_type: 'tag' }, { title: '[acme/rocket] Tag deleted: v1' }, 'sam'],
  [
    'fork',
    { forkee: { full_name: 'mia/rocket', html_url: AT } },
    { title: '[acme/rocket] Fork created: mia/rocket', url: AT },
    'sam',
  ],
  [
    'issue_comment',
    { action: 'created', comment: remark, issue },
    {
      title: '[acme/rocket] New comment on issue #7: It leaks',
      url: AT,
      color: 0xc00a7f,
      description: 'Well said',
    },
    'cleo',
  ],
  [
    'issue_comment',
    { action: 'created', comment: remark, issue: { ...issue, pull_request: {} } },
    {
      title: '[acme/rocket] New comment on pull request #7: It leaks',
      url: AT,
      color: 0xc00a7f,
      description: 'Well said',
    },
    'cleo',
  ],
  [
    'issues',
    { action: 'opened', issue },
    {
      title: '[acme/rocket] Issue opened: #7 It leaks',
      url: AT,
      color: 0xeb4841,
      description: 'Water everywhere',
    },
    'sam',
  ],
  [
    'issues',
    { action: 'closed', issue },
    { title: '[acme/rocket] Issue closed: #7 It leaks', url: AT, color: 0 },
    'sam',
  ],
  [
    'issues',
    { action: 'reopened', issue },
    { title: '[acme/rocket] Issue reopened: #7 It leaks', url: AT, color: 0xfcbd1f },
    'sam',
  ],
  [
    'member',
    { action: 'added', member },
    { title: '[acme/rocket] New collaborator added: mia', url: member.html_url },
    'sam',
  ],
  ['public', {}, { title: '[acme/rocket] Now open sourced!' }, 'sam'],
  [
    'pull_request',
    { action: 'opened', pull_request },
    {
      title: '[acme/rocket] Pull request opened: #8 Mend it',
      url: AT,
      color: 0x098efc,
      description: 'A patch',
    },
    'pat',
  ],
  [
    'pull_request',
    { action: 'closed', pull_request },
    { title: '[acme/rocket] Pull request closed: #8 Mend it', url: AT, color: 0 },
    'pat',
  ],
  [
    'pull_request',
    { action: 'reopened', pull_request },
    { title: '[acme/rocket] Pull request reopened: #8 Mend it', url: AT, color: 0xfcbd1f },
    'pat',
  ],
  [
    'pull_request_review',
    { action: 'submitted', review: remark, pull_request },
    {
      title: '[acme/rocket] Pull request review submitted: #8 Mend it',
      url: AT,
      color: 0,
      description: 'Well said',
    },
    'cleo',
  ],
  [
    'pull_request_review_comment',
    { action: 'created', comment: remark, pull_request },
    {
      title: '[acme/rocket] New review comment on pull request #8: Mend it',
      url: AT,
      color: 0xc00a7f,
      description: 'Well said',
    },
    'cleo',
  ],
  [
    'push',
    { ref: 'refs/heads/main', compare: AT, commits: [commit] },
    {
      title: '[rocket:main] 1 new commit',
      url: AT,
      color: 0x7289da,
      description: `[\`abcdef0\`](${AT}) Fix - Grace`,
    },
    'sam',
  ],
  [
    'push',
    { ref: 'refs/heads/a/b', compare: AT, commits: [commit, { ...commit, message: 'x\ny' }] },
    {
      title: '[rocket:a/b] 2 new commits',
      url: AT,
      color: 0x7289da,
      description: `[\`abcdef0\`](${AT}) Fix - Grace\n[\`abcdef0\`](${AT}) x y - Grace`,
    },
    'sam',
  ],
  ['push', forced, { title: '[rocket] Branch main was force-pushed to `abcdef0`', ...COMPARE }, 'sam'],
  [
    'push',
    { ...forced, ref: 'refs/tags/v1', commits: [commit] },
    { title: '[rocket] Tag v1 was force-pushed to `abcdef0`', ...COMPARE },
    'sam',
  ],
  [
    'release',
    { action: 'published', release },
    { title: '[acme/rocket] New release published: v1.2', url: AT },
    'sam',
  ],
  ['watch', { action: 'started' }, { title: '[acme/rocket] New star added', url: HOME }, 'sam'],
  [
    'check_run',
    { action: 'completed', check_run: run('success') },
    { title: '[rocket] lint success on main', color: 0x009800, url: `${HOME}/commit/${SHA}` },
  ],
  [
    'check_run',
    { action: 'completed', check_run: run('failure', null) },
    { title: '[rocket] lint failure on main', color: 0xfc2929, url: `${HOME}/commit/${SHA}` },
  ],
  [
    'check_suite',
    { action: 'completed', check_suite: suiteOf('success') },
    { title: '[rocket] Robot checks success on main', color: 0x009800, url: `${HOME}/commit/${SHA}` },
  ],
  [
    'check_suite',
    { action: 'completed', check_suite: suiteOf('cancelled') },
    { title: '[rocket] Robot checks cancelled on main', color: 0xfc2929, url: `${HOME}/commit/${SHA}` },
  ],
  [
    'discussion',
    { action: 'created', discussion },
    { title: '[acme/rocket] New discussion #9: Shall we', url: AT, color: 0xe6c2b0, description: 'Or not' },
    'dee',
  ],
  [
    'discussion_comment',
    { action: 'created', comment: remark, discussion },
    {
      title: '[acme/rocket] New comment on discussion #9: Shall we',
      url: AT,
      color: 0xe6c2b0,
      description: 'Well said',
    },
    'cleo',
  ],
  [
    'repository',
    { action: 'created' },
    { title: '[acme/rocket] Repository created', url: HOME, color: 0x2cbe4e },
    'sam',
  ],
];

/** What renders nothing. */
const NOTHING: [event: string, payload: object][] = [
  ['commit_comment', { action: 'edited', comment: remark }],
  ['commit_comment', { action: 'created', comment: { ...remark, commit_id: undefined } }],
  ['commit_comment', { action: 'created' }],
  ['create', { ref: 'x', ref_type: 'repository' }],
  ['delete', { ref: 'x' }],
  ['fork', {}],
  ['issue_comment', { action: 'deleted', comment: remark, issue }],
  ['issue_comment', { action: 'created', comment: remark }],
  ['issue_comment', { action: 'created', issue }],
  ['issues', { action: 'labeled', issue }],
  ['issues', { action: 'opened' }],
  ['member', { action: 'removed', member }],
  ['member', { action: 'added' }],
  ['pull_request', { action: 'synchronize', pull_request }],
  ['pull_request', { action: 'opened' }],
  ['pull_request_review', { action: 'dismissed', review: remark, pull_request }],
  ['pull_request_review', { action: 'submitted', pull_request }],
  ['pull_request_review', { action: 'submitted', review: remark }],
  ['pull_request_review_comment', { action: 'edited', comment: remark, pull_request }],
  ['pull_request_review_comment', { action: 'created', comment: remark }],
  ['push', { ref: 'refs/heads/main', compare: AT, commits: [] }],
  ['push', { ref: 'refs/heads/main', commits: [commit] }],
  ['push', { compare: AT, commits: [commit] }],
  ['push', { ...forced, head_commit: null, commits: [commit] }],
  ['push', { ...forced, compare: undefined }],
  ['release', { action: 'created', release }],
  ['release', { action: 'published' }],
  ['watch', { action: 'stopped' }],
  ['check_run', { action: 'created', check_run: run('success') }],
  ['check_run', { action: 'completed', check_run: run('success', 'skipped') }],
  ['check_run', { action: 'completed' }],
  ['check_suite', { action: 'completed', check_suite: suiteOf('skipped') }],
  ['check_suite', { action: 'requested', check_suite: suiteOf('success') }],
  ['discussion', { action: 'answered', discussion }],
  ['discussion', { action: 'created' }],
  ['discussion_comment', { action: 'created', comment: remark }],
  ['discussion_comment', { action: 'edited', comment: remark, discussion }],
  ['repository', { action: 'deleted' }],
  ['ping', { zen: 'x' }],
  ['star', { action: 'created' }],
  ['', {}],
  ['PUSH', { ref: 'refs/heads/main', compare: AT, commits: [commit] }],
];

export function codehostEvents(suite: TestSuite): void {
  describe('a code-host event', () => {
    it('becomes the one embed of its row, written by the code host', async () => {
      const hook = await openHook(suite, { name: 'Build' });
      for (const [event, payload, embed, by] of RENDERED) {
        const what = `${event} ${JSON.stringify(payload)}`;
        const reply = await suite.api.post(
          `${hook.path}/codehost`,
          { repository, sender, ...payload },
          { 'x-codehost-event': event },
        );
        expect([reply.status, reply.text], what).toEqual([204, '']);
        const [message] = await hook.messages();
        expect(message, what).toMatchObject({
          content: '',
          webhook_id: hook.webhook.id,
          author: { id: hook.webhook.id, username: 'Code host', avatar: null, bot: true },
        });
        const expected = { type: 'rich', ...embed, ...(by && { author: author(by) }) };
        expect(
          message?.embeds.map(({ fields: _, ...rest }) => rest),
          what,
        ).toEqual([expected]);
      }
      expect(await hook.messages()).toHaveLength(RENDERED.length);
    });

    it('renders nothing where its row says so, or without its repository', async () => {
      const hook = await openHook(suite);
      const deliver = async (event: string, payload: object) => {
        const reply = await suite.api.post(`${hook.path}/codehost`, payload, { 'x-codehost-event': event });
        expect([reply.status, reply.text], event).toEqual([204, '']);
      };
      for (const [event, payload] of NOTHING) await deliver(event, { repository, sender, ...payload });
      for (const [event, payload] of RENDERED) await deliver(event, { sender, ...payload });
      const [first] = RENDERED;
      await suite.api.post(`${hook.path}/codehost`, { repository, sender, ...first?.[1] });
      expect(await hook.messages()).toEqual([]);
    });
  });
}
