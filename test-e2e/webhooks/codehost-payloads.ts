/** Parts of code-host payloads. */

export const HOME = 'https://code.example/acme/rocket';
export const repository = { full_name: 'acme/rocket', name: 'rocket', html_url: HOME };
export const account = (login: string) => ({
  login,
  html_url: `https://code.example/${login}`,
  avatar_url: `https://code.example/${login}.png`,
});
export const author = (name: string) => ({
  name,
  url: `https://code.example/${name}`,
  icon_url: `https://code.example/${name}.png`,
});
export const sender = account('sam');
export const SHA = 'abcdef0123456789abcdef0123456789abcdef01';
export const AT = `${HOME}/at`;
export const remark = { html_url: AT, user: account('cleo'), body: 'Well said', commit_id: SHA };
export const issue = {
  number: 7,
  title: 'It leaks',
  html_url: AT,
  user: account('ivy'),
  body: 'Water everywhere',
};
export const pull_request = {
  number: 8,
  title: 'Mend it',
  html_url: AT,
  user: account('pat'),
  body: 'A patch',
};
export const discussion = {
  number: 9,
  title: 'Shall we',
  html_url: AT,
  user: account('dee'),
  body: 'Or not',
};
export const member = account('mia');
export const release = { tag_name: 'v1.2', html_url: AT, name: 'One two', body: 'Notes' };
export const suiteOf = (conclusion: string | null) => ({
  conclusion,
  head_sha: SHA,
  head_branch: 'main',
  app: { name: 'Robot' },
});
export const run = (conclusion: string | null, parent: string | null = conclusion) => ({
  name: 'lint',
  conclusion,
  head_sha: SHA,
  html_url: AT,
  check_suite: suiteOf(parent),
});
export const forced = {
  ref: 'refs/heads/main',
  compare: AT,
  forced: true,
  head_commit: { id: SHA },
  commits: [],
};
export const COMPARE = { description: `[Compare changes](${AT})`, url: AT, color: 0xfcbd1f };
export const commit = { id: SHA, url: AT, message: 'Fix', author: { name: 'Grace' } };
