import { codePoints } from '@gatehouse/kit/form';
import { describe, expect, it } from 'vitest';
import { check_run, check_suite, commit, forced, issue, push, render, SHA } from './codehost-fixtures.ts';

const describedPush = (commits: readonly object[]) => render('push', { ...push, commits })?.description;

describe('pushes', () => {
  it.each([
    ['refs/heads/feature/door', 'hall:feature/door', 'Branch feature/door'],
    ['refs/tags/v1.0', 'hall:v1.0', 'Tag v1.0'],
    ['refs/notes/commits', 'hall:refs/notes/commits', 'Ref refs/notes/commits'],
  ])('%s is named after its kind of ref', (ref, ordinary, noun) => {
    expect(render('push', { ...push, ref })?.title).toBe(`[${ordinary}] 1 new commit`);
    expect(render('push', { ...forced, ref })?.title).toBe(`[hall] ${noun} was force-pushed to \`0123456\``);
  });

  it('a forced push renders even without commits', () => {
    expect(render('push', { ...forced, commits: [] })?.title).toContain('force-pushed');
  });

  it('lists each commit on one line, with line breaks as spaces', () => {
    const commits = [commit, { ...commit, message: 'Paint\r\nit\nred\n' }];
    const rendered = render('push', { ...push, commits });
    expect(rendered?.title).toBe('[hall:main] 2 new commits');
    const link = `[\`0123456\`](https://code.test/commit/${SHA})`;
    expect(rendered?.description).toBe(`${link} Oil hinges - Ada\n${link} Paint it red - Ada`);
  });

  it('shows the available parts of a commit', () => {
    const commits = [{ id: SHA }, {}, { message: 'Only words' }, { author: { name: 'Ada' } }, null, 7];
    const rendered = render('push', { ...push, commits });
    expect(rendered?.title).toBe('[hall:main] 4 new commits');
    expect(rendered?.description).toBe('`0123456`\nOnly words\nAda');
  });

  it('links the sentence about the reverted commit', () => {
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
    expect(describedPush(commits)).toBe(`${`${'x'.repeat(50)}\n`.repeat(6)}${'x'.repeat(41)}...`);
    expect(describedPush([{ message: 'y'.repeat(1_000_000) }])).toBe(`${'y'.repeat(347)}...`);
    expect(describedPush([{ message: 'y'.repeat(350) }])).toBe('y'.repeat(350));
    expect(describedPush([{ message: '🚪'.repeat(351) }])).toBe(`${'🚪'.repeat(347)}...`);
  });

  it('cuts a link like other text', () => {
    const link = `[\`0123456\`](https://code.test/commit/${SHA})`;
    const whole = `${'x'.repeat(300)}\n${link} Oil hinges - Ada`;
    expect(describedPush([{ message: 'x'.repeat(300) }, commit])).toBe(`${whole.slice(0, 347)}...`);
    const url = `https://code.test/${'x'.repeat(400)}`;
    expect(describedPush([{ ...commit, url }])).toBe(`${`[\`0123456\`](${url}`.slice(0, 347)}...`);
  });

  it('reads no more commits than a description can show', () => {
    let read = 0;
    const counting = (message: string) => ({
      get message() {
        read += 1;
        return message;
      },
    });
    const pushOf = (message: string) =>
      render('push', { ...push, commits: Array.from({ length: 2048 }, () => counting(message)) });
    expect(pushOf('x'.repeat(12_000))?.title).toBe('[hall:main] 2048 new commits');
    expect(read).toBe(1);
    read = 0;
    expect(pushOf('Oil the hinges')?.description).toHaveLength(350);
    expect(read).toBeLessThanOrEqual(50);
    read = 0;
    expect(pushOf(' ')?.description).toBeNull();
    expect(read).toBe(350);
  });
});

describe('cuts count code points, including the dots', () => {
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

  it('titles of 70 are not cut, and white space at the end does not count', () => {
    const head = '[octo/hall] Issue opened: #7 ';
    const titled = (title: string) =>
      render('issues', { action: 'opened', issue: { ...issue, title } })?.title;
    const fits = 'x'.repeat(70 - head.length);
    expect(titled(fits)).toBe(head + fits);
    expect(titled(`${fits}  \n`)).toBe(head + fits);
    expect(titled(`${fits}y`)).toBe(`${`${head}${fits}`.slice(0, 67)}...`);
  });

  it('descriptions over 350 are cut', () => {
    const described = (body: string) =>
      render('issues', { action: 'opened', issue: { ...issue, body } })?.description;
    expect(described('🚪'.repeat(350))).toBe('🚪'.repeat(350));
    expect(described('🚪'.repeat(351))).toBe(`${'🚪'.repeat(347)}...`);
    expect(described('')).toBeNull();
  });

  it('titles are trimmed, and entities are not decoded', () => {
    const rendered = render('issues', { action: 'opened', issue: { ...issue, title: 'a &amp; b  ' } });
    expect(rendered?.title).toBe('[octo/hall] Issue opened: #7 a &amp; b');
  });
});

describe('an embed omits', () => {
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

  it('characters that cannot be stored', () => {
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

describe('text from users cannot change the text around it', () => {
  it.each([
    ['a line break', 'a\r\nb\nc', 'a b c'],
    ['separators that display as line breaks', 'a\u2028b\u2029c\u0085d\vd', 'a b c d d'],
    ['characters that reorder text', 'a\u202eb\u2066c\u202c', 'abc'],
    ['right-to-left text', 'שלום', 'שלום'],
    ['brackets and backslashes', 'a](https://x.test)[\\', 'a](https://x.test)[\\'],
    ['entities', 'a &lt; b', 'a &lt; b'],
  ])('%s in titles, messages and names', (_, written, shown) => {
    expect(render('issues', { action: 'opened', issue: { ...issue, title: written } })?.title).toBe(
      `[octo/hall] Issue opened: #7 ${shown}`,
    );
    expect(render('push', { ...push, ref: `refs/heads/${written}` })?.title).toBe(
      `[hall:${shown}] 1 new commit`,
    );
    expect(describedPush([{ message: written, author: { name: written } }])).toBe(`${shown} - ${shown}`);
    expect(render('public', { sender: { login: written } })?.author?.name).toBe(shown);
  });

  it.each(['0123`456789', '0123\\456]789', '[0123\n456](789', ' 0123456', '01234\u202e56'])(
    'the ID %j becomes a well-formed label',
    (id) => {
      const url = 'https://code.test/c';
      expect(describedPush([{ id, url }])).toBe('[`0123456`](https://code.test/c)');
      expect(render('commit_comment', { action: 'created', comment: { commit_id: id } })?.title).toBe(
        '[octo/hall] New comment on commit `0123456`',
      );
      expect(render('push', { ...forced, head_commit: { id } })?.title).toContain('to `0123456`');
    },
  );

  it('an ID without printable characters counts as absent', () => {
    expect(describedPush([{ id: '`](', message: 'x' }])).toBe('x');
    expect(render('commit_comment', { action: 'created', comment: { commit_id: '`](' } })).toBeUndefined();
  });

  it.each([
    ['`code` and ``a ` b``', '`code` and ``a ` b``'],
    ['an open ` one', 'an open \\` one'],
    ['an open ``` fence', 'an open \\`\\`\\` fence'],
    ['`a` `b', '`a` \\`b'],
    ['`` `a`', '\\`\\` `a`'],
  ])('unpaired backticks do not affect later links: %s', (message, shown) => {
    const link = `[\`0123456\`](https://code.test/commit/${SHA})`;
    const description = describedPush([{ message }, commit]);
    expect(description).toBe(`${shown}\n${link} Oil hinges - Ada`);
  });

  it('parentheses in a URL do not end the link', () => {
    const url = 'https://code.test/a(b)c';
    expect(describedPush([{ id: SHA, url }])).toBe('[`0123456`](https://code.test/a%28b%29c)');
    expect(render('push', { ...forced, compare: url })?.description).toBe(
      '[Compare changes](https://code.test/a%28b%29c)',
    );
  });

  it.each(['../../evil', 'a b', 'x#y', '\ud800', '', 7])('the ID %j gives a check no URL', (head_sha) => {
    const rendered = render('check_run', { action: 'completed', check_run: { ...check_run, head_sha } });
    expect(rendered).toMatchObject({ title: '[hall] lint failure on main', url: null });
  });

  it('the Markdown of a body is kept', () => {
    const body = 'One\n\n```\ntwo](x)\n';
    expect(render('issues', { action: 'opened', issue: { ...issue, body } })?.description).toBe(body);
  });
});
