import type { EmbedInput } from '@gatehouse/proto/chat';
import { renderCodehost } from '../../src/codehost/render.ts';
import type { Rendering } from '../../src/execution/rendering.ts';

export const repository = { name: 'hall', full_name: 'octo/hall', html_url: 'https://code.test/octo/hall' };
export const sender = { login: 'ada', html_url: 'https://code.test/ada', avatar_url: 'https://img.test/ada' };
export const bob = { login: 'bob', html_url: 'https://code.test/bob', avatar_url: 'https://img.test/bob' };
export const adaAuthor = { name: 'ada', url: 'https://code.test/ada', icon_url: 'https://img.test/ada' };
export const bobAuthor = { name: 'bob', url: 'https://code.test/bob', icon_url: 'https://img.test/bob' };
export const SHA = '0123456789abcdef0123456789abcdef01234567';

export const comment = { html_url: 'https://code.test/c/1', body: 'Nice.', user: bob, commit_id: SHA };
export const issue = {
  number: 7,
  title: 'Door sticks',
  html_url: 'https://code.test/i/7',
  body: 'Always.',
  user: bob,
};
export const pull_request = { ...issue, title: 'Oil it', html_url: 'https://code.test/p/7' };
export const review = { html_url: 'https://code.test/r/1', body: 'Fine.', user: bob };
export const discussion = {
  number: 3,
  title: 'Paint',
  html_url: 'https://code.test/d/3',
  body: 'Which?',
  user: bob,
};
export const check_suite = {
  conclusion: 'success',
  head_branch: 'main',
  head_sha: SHA,
  app: { name: 'Linter' },
};
export const check_run = { name: 'lint', conclusion: 'failure', head_sha: SHA, check_suite };
export const commit = {
  id: SHA,
  url: `https://code.test/commit/${SHA}`,
  message: 'Oil hinges',
  author: { name: 'Ada' },
};
export const push = { ref: 'refs/heads/main', compare: 'https://code.test/compare', commits: [commit] };
export const forced = { ...push, forced: true, head_commit: { id: SHA } };

/** The embed of an event of the repository, if it has one. */
export function render(event: string, payload: object): EmbedInput | undefined {
  const rendering = renderingOf(event, payload);
  return 'message' in rendering ? rendering.message : undefined;
}

export function renderingOf(event: string, payload: object): Rendering<EmbedInput> {
  return renderCodehost(event, { repository, sender, ...payload });
}

export const EMPTY_EMBED = { url: null, color: null, description: null, author: null, fields: [] };
