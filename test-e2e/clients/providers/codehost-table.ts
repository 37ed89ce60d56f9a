/**
 * The table of docs/webhooks.md#code-host-events, implemented a second time by hand: the payloads that render a
 * message, and its embed.
 */

export interface Expected {
  title: string;
  url?: string;
  color?: number;
  author?: { name: string; url: string; icon_url: string };
}

interface Account {
  login: string;
  html_url: string;
  avatar_url: string;
}

interface Subject {
  number: number;
  title: string;
  html_url: string;
  user: Account;
  pull_request?: object;
}

interface Remark {
  html_url: string;
  user: Account;
  commit_id?: string;
}

interface Check {
  name: string;
  conclusion: string | null;
  head_sha: string;
  head_branch: string;
  app: { name: string };
  check_suite: { conclusion: string | null; head_branch: string };
}

export interface Payload {
  action?: string;
  repository?: { full_name: string; name: string; html_url: string };
  sender?: Account;
  ref?: string;
  ref_type?: string;
  compare?: string;
  forced?: boolean;
  commits?: object[];
  head_commit?: { id: string } | null;
  comment?: Remark;
  review?: Remark;
  issue?: Subject;
  pull_request?: Subject;
  discussion?: Subject;
  forkee?: { full_name: string; html_url: string };
  member?: Account;
  release?: { tag_name: string; html_url: string };
  check_run?: Check;
  check_suite?: Check;
}

type Row = (payload: Payload, repo: { R: string; N: string; url: string }) => Expected | undefined;

/** The content of the payload's message; undefined if it renders none. */
export function expectedOf(event: string, payload: Payload): Expected | undefined {
  const { repository } = payload;
  const row = ROWS[event];
  if (repository === undefined || row === undefined) return undefined;
  const expected = row(payload, { R: repository.full_name, N: repository.name, url: repository.html_url });
  if (expected === undefined) return undefined;
  const limit = ['push', 'check_run', 'check_suite'].includes(event) ? 256 : 70;
  return { ...expected, title: cut(expected.title.trim(), limit) };
}

const COMMENT = 0xc00a7f;
const DISCUSSION = 0xe6c2b0;
const REOPENED = 0xfcbd1f;

const ROWS: Record<string, Row> = {
  commit_comment: ({ action, comment }, { R }) =>
    action === 'created' && comment?.commit_id
      ? by(comment.user, {
          title: `[${R}] New comment on commit \`${comment.commit_id.slice(0, 7)}\``,
          url: comment.html_url,
        })
      : undefined,

  create: ({ ref, ref_type, sender }, { R }) =>
    ref_type === 'branch' || ref_type === 'tag'
      ? by(sender, { title: `[${R}] New ${ref_type} created: ${ref}` })
      : undefined,

  delete: ({ ref, ref_type, sender }, { R }) =>
    ref_type === 'branch' || ref_type === 'tag'
      ? by(sender, { title: `[${R}] ${ref_type === 'tag' ? 'Tag' : 'Branch'} deleted: ${ref}` })
      : undefined,

  fork: ({ forkee, sender }, { R }) =>
    forkee && by(sender, { title: `[${R}] Fork created: ${forkee.full_name}`, url: forkee.html_url }),

  issue_comment: ({ action, comment, issue }, { R }) => {
    if (action !== 'created' || !comment || !issue) return undefined;
    const what = issue.pull_request === undefined ? 'issue' : 'pull request';
    return by(comment.user, {
      title: `[${R}] New comment on ${what} #${issue.number}: ${issue.title}`,
      url: comment.html_url,
      color: COMMENT,
    });
  },

  issues: ({ action = '', issue, sender }, { R }) => {
    const color = { opened: 0xeb4841, closed: 0x000000, reopened: REOPENED }[action];
    return issue && color !== undefined
      ? by(sender, {
          title: `[${R}] Issue ${action}: #${issue.number} ${issue.title}`,
          url: issue.html_url,
          color,
        })
      : undefined;
  },

  member: ({ action, member, sender }, { R }) =>
    action === 'added' && member
      ? by(sender, { title: `[${R}] New collaborator added: ${member.login}`, url: member.html_url })
      : undefined,

  public: ({ sender }, { R }) => by(sender, { title: `[${R}] Now open sourced!` }),

  pull_request: ({ action = '', pull_request }, { R }) => {
    const color = { opened: 0x098efc, closed: 0x000000, reopened: REOPENED }[action];
    if (!pull_request || color === undefined) return undefined;
    const title = `[${R}] Pull request ${action}: #${pull_request.number} ${pull_request.title}`;
    return by(pull_request.user, { title, url: pull_request.html_url, color });
  },

  pull_request_review: ({ action, review, pull_request }, { R }) =>
    action === 'submitted' && review && pull_request
      ? by(review.user, {
          title: `[${R}] Pull request review submitted: #${pull_request.number} ${pull_request.title}`,
          url: review.html_url,
          color: 0,
        })
      : undefined,

  pull_request_review_comment: ({ action, comment, pull_request }, { R }) =>
    action === 'created' && comment && pull_request
      ? by(comment.user, {
          title: `[${R}] New review comment on pull request #${pull_request.number}: ${pull_request.title}`,
          url: comment.html_url,
          color: COMMENT,
        })
      : undefined,

  push: ({ ref, compare, forced, commits = [], head_commit, sender }, { N }) => {
    if (!ref || !compare) return undefined;
    const [, kind = '', name = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
    if (forced) {
      const what = { heads: 'Branch', tags: 'Tag' }[kind] ?? 'Ref';
      const title = `[${N}] ${what} ${name || ref} was force-pushed to \`${head_commit?.id.slice(0, 7)}\``;
      return head_commit ? by(sender, { title, url: compare, color: REOPENED }) : undefined;
    }
    if (commits.length === 0) return undefined;
    const count = commits.length === 1 ? '1 new commit' : `${commits.length} new commits`;
    return by(sender, { title: `[${N}:${name}] ${count}`, url: compare, color: 0x7289da });
  },

  release: ({ action, release, sender }, { R }) =>
    action === 'published' && release
      ? by(sender, { title: `[${R}] New release published: ${release.tag_name}`, url: release.html_url })
      : undefined,

  watch: ({ action, sender }, { R, url }) =>
    action === 'started' ? by(sender, { title: `[${R}] New star added`, url }) : undefined,

  check_run: ({ action, check_run: run }, { N, url }) =>
    action === 'completed' && run && run.check_suite.conclusion !== 'skipped'
      ? check(`[${N}] ${run.name} ${run.conclusion} on ${run.check_suite.head_branch}`, run, url)
      : undefined,

  check_suite: ({ action, check_suite: suite }, { N, url }) =>
    action === 'completed' && suite && suite.conclusion !== 'skipped'
      ? check(`[${N}] ${suite.app.name} checks ${suite.conclusion} on ${suite.head_branch}`, suite, url)
      : undefined,

  discussion: ({ action, discussion }, { R }) =>
    action === 'created' && discussion
      ? by(discussion.user, {
          title: `[${R}] New discussion #${discussion.number}: ${discussion.title}`,
          url: discussion.html_url,
          color: DISCUSSION,
        })
      : undefined,

  discussion_comment: ({ action, comment, discussion }, { R }) =>
    action === 'created' && comment && discussion
      ? by(comment.user, {
          title: `[${R}] New comment on discussion #${discussion.number}: ${discussion.title}`,
          url: comment.html_url,
          color: DISCUSSION,
        })
      : undefined,

  repository: ({ action, sender }, { R, url }) =>
    action === 'created'
      ? by(sender, { title: `[${R}] Repository created`, url, color: 0x2cbe4e })
      : undefined,
};

function check(title: string, { head_sha, conclusion }: Check, repositoryUrl: string): Expected {
  const color = conclusion === 'success' ? 0x009800 : 0xfc2929;
  return { title, url: `${repositoryUrl}/commit/${head_sha}`, color };
}

function by(account: Account | undefined, expected: Expected): Expected {
  if (account === undefined) return expected;
  const { login: name, html_url: url, avatar_url: icon_url } = account;
  return { ...expected, author: { name, url, icon_url } };
}

/** Cuts a text to `limit` code points, including the three dots. */
function cut(text: string, limit: number): string {
  const points = [...text];
  return points.length <= limit ? text : `${points.slice(0, limit - 3).join('')}...`;
}
