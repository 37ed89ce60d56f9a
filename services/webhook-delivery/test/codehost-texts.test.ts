import { codePoints } from '@gatehouse/kit/form';
import { describe, expect, it } from 'vitest';
import { check_run, check_suite, commit, forced, issue, push, render, SHA } from './codehost-fixtures.ts';

describe('pushes', () => {
  it.each([
    ['refs/heads/feature/door', 'hall:feature/door', 'Branch feature/door'],
    ['refs/tags/v1.0', 'hall:v1.0', 'Tag v1.0'],
    ['refs/notes/commits', 'hall:refs/notes/commits', 'Ref refs/notes/commits'],
  ])('%s is named by what it is', (ref, ordinary, noun) => {
    expect(render('push', { ...push, ref })?.title).toBe(`[${ordinary}] 1 new commit`);
    expect(render('push', { ...forced, ref })?.title).toBe(`[hall] ${noun} was force-pushed to \`0123456\``);
  });

  it('a forced push renders even with no commits', () => {
    expect(render('push', { ...forced, commits: [] })?.title).toContain('force-pushed');
  });

  it('lists one line per commit, its line breaks as spaces', () => {
    const commits = [commit, { ...commit, message: 'Paint\r\nit\nred\n' }];
    const rendered = render('push', { ...push, commits });
    expect(rendered?.title).toBe('[hall:main] 2 new commits');
    const link = `[\`0123456\`](https://code.test/commit/${SHA})`;
    expect(rendered?.description).toBe(`${link} Oil hinges - Ada\n${link} Paint it red - Ada`);
  });

  it('shows of a commit what there is', () => {
    const commits = [{ id: SHA }, { message: 'Only words' }, { author: { name: 'Ada' } }, null, 7];
    const rendered = render('push', { ...push, commits });
    expect(rendered?.title).toBe('[hall:main] 3 new commits');
    expect(rendered?.description).toBe('`0123456`\nOnly words\nAda');
  });

  it('links a sentence that says what a commit reverts', () => {
    const message = `Revert "Oil"\n\nThis reverts commit ${SHA}.`;
    const rendered = render('push', { ...push, commits: [{ message }] });
    expect(rendered?.description).toBe(
      `Revert "Oil"  [This reverts commit ${SHA}.](https://code.test/octo/hall/commit/${SHA})`,
    );
    for (const other of [
      `This reverts commit ${SHA}`,
      'This reverts commit 0123456.',
      `reverts commit ${SHA}.`,
    ])
      expect(render('push', { ...push, commits: [{ message: other }] })?.description).toBe(other);
  });

  it('cuts the joined lines to 350 characters, dots included', () => {
    const commits = Array.from({ length: 2000 }, () => ({ message: 'x'.repeat(50) }));
    const description = render('push', { ...push, commits })?.description ?? '';
    expect(description).toHaveLength(350);
    expect(description.slice(-4)).toBe('x...');
    const huge = render('push', { ...push, commits: [{ message: 'y'.repeat(1_000_000) }] });
    expect(huge?.description).toBe(`${'y'.repeat(347)}...`);
  });
});

describe('cuts count code points and keep their dots inside the limit', () => {
  it.each([
    [70, 'issues', { action: 'opened', issue: { ...issue, title: '🚪'.repeat(300) } }],
    [70, 'create', { ref_type: 'branch', ref: 'b'.repeat(300) }],
    [70, 'push', { ...forced, ref: `refs/heads/${'b'.repeat(300)}` }],
    [256, 'push', { ...push, ref: `refs/heads/${'b'.repeat(300)}` }],
    [256, 'check_run', { action: 'completed', check_run: { ...check_run, name: 'n'.repeat(300) } }],
    [
      256,
      'check_suite',
      { action: 'completed', check_suite: { ...check_suite, app: { name: 'n'.repeat(300) } } },
    ],
  ])('titles at %d: %s', (limit, event, payload) => {
    const title = render(event, payload)?.title ?? '';
    expect(codePoints(title)).toBe(limit);
    expect(title.endsWith('...')).toBe(true);
    expect(title.isWellFormed()).toBe(true);
  });

  it('descriptions at 350, and one of 350 stays', () => {
    const described = (body: string) =>
      render('issues', { action: 'opened', issue: { ...issue, body } })?.description;
    expect(described('🚪'.repeat(350))).toBe('🚪'.repeat(350));
    expect(described('🚪'.repeat(351))).toBe(`${'🚪'.repeat(347)}...`);
  });

  it('titles are trimmed, and entities are not decoded', () => {
    const rendered = render('issues', { action: 'opened', issue: { ...issue, title: 'a &amp; b  ' } });
    expect(rendered?.title).toBe('[octo/hall] Issue opened: #7 a &amp; b');
  });
});

describe('what an embed cannot hold is left out', () => {
  it.each([
    'javascript:alert(1)',
    'ftp://code.test/x',
    '//code.test/x',
    'https://',
    'https://code.test/a b',
    'https://code.test/\u0000',
    `https://code.test/${'x'.repeat(2048)}`,
    7,
    null,
  ])('the link %s', (html_url) => {
    const rendered = render('issues', {
      action: 'opened',
      issue: { ...issue, html_url },
      sender: { login: 'ada', html_url, avatar_url: html_url },
    });
    expect(rendered).toMatchObject({ url: null, author: { name: 'ada', url: null, icon_url: null } });
  });

  it('characters that no message can hold', () => {
    const rendered = render('issues', {
      action: 'opened',
      issue: { ...issue, title: 'a\u0000b\ud800', body: '\u0000' },
      sender: { login: '\u0000' },
    });
    expect(rendered).toMatchObject({
      title: '[octo/hall] Issue opened: #7 ab\ufffd',
      description: null,
      author: null,
    });
  });
});
