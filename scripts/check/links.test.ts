import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { brokenLinks, filesOf } from './links.ts';
import { anchorsOf, linksOf, slugOf } from './markdown.ts';

const CLONE = fileURLToPath(new URL('../..', import.meta.url));

/** Writes these files, and returns the problems with their links. */
function check(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'links-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return brokenLinks(root, Object.keys(files));
}

const MISSING = 'docs/none.md#rounding';
const LIMITS = '# Limits\n\n## Global bucket\n\n<a id="rounding"></a>Times are rounded up.\n';

describe('a link in Markdown', () => {
  test('resolves to a file, a folder, a heading, an anchor, a line of code', () => {
    const text = [
      '[a](limits.md) [b](./limits.md#global-bucket) [c](limits.md#rounding) [d](../src) [e](../src/)',
      '[f](../src/a.ts#L1) [g](#page) [h](/docs/limits.md#limits "title") [i](https://example.com/none.md#x)',
      '[`j`](limits.md) ![k](../src/a.ts)',
      '[l]: limits.md#rounding',
    ];
    const page = `# Page\n\n${text.join('\n')}\n`;
    expect(check({ 'docs/page.md': page, 'docs/limits.md': LIMITS, 'src/a.ts': '' })).toEqual([]);
  });

  test('is broken if the file is missing, and is reported with its line', () => {
    expect(check({ 'README.md': '# A\n\nSee [limits](docs/limit.md).\n', 'docs/limits.md': LIMITS })).toEqual(
      ['README.md:3: docs/limit.md: there is no such file'],
    );
  });

  test('is broken if the anchor is missing, in another page or in its own', () => {
    const page = '[a](docs/limits.md#global-buckets)\n\n[b](#none)\n';
    expect(check({ 'README.md': page, 'docs/limits.md': LIMITS })).toEqual([
      'README.md:1: docs/limits.md#global-buckets: there is no such anchor',
      'README.md:3: #none: there is no such anchor',
    ]);
  });

  test('is broken if it leads out of the clone, or to an anchor in a file that is no page', () => {
    expect(check({ 'README.md': '[a](../shared/x.md) [b](a.ts#start)', 'a.ts': '' })).toEqual([
      'README.md:1: ../shared/x.md: there is no such file',
      'README.md:1: a.ts#start: only pages have anchors',
    ]);
  });

  test('does not count inside code', () => {
    const text =
      '`[a](none.md)` ``b ` [c](none.md)``\n\n```md\n[d](none.md)\n# Heading\n```\n\n[e](#heading)\n';
    expect(linksOf(text)).toEqual([{ target: '#heading', line: 8 }]);
    expect(check({ 'README.md': text })).toEqual(['README.md:8: #heading: there is no such anchor']);
  });
});

describe('a page named in a comment', () => {
  test.each([
    ['a.ts', `/**\n * Rounded up (${MISSING}).\n */`],
    ['a.ts', `\nconst a = 1; // ${MISSING}`],
    ['a.proto', `\n// Rounded up, see ${MISSING}.`],
    ['a.sql', `\n-- Rounded up, see ${MISSING}.`],
    ['a.lua', `\nlocal a = 1 -- ${MISSING}`],
  ])('is broken in %s if it does not exist: %j', (file, text) => {
    expect(check({ [file]: text })).toEqual([`${file}:2: ${MISSING}: there is no such file`]);
  });

  test('is broken without the anchor', () => {
    const text = '// docs/limits.md#rounding, docs/limits.md#global-bucket, docs/limits.md#local-bucket.\n';
    expect(check({ 'src/a.ts': text, 'docs/limits.md': LIMITS })).toEqual([
      'src/a.ts:1: docs/limits.md#local-bucket: there is no such anchor',
    ]);
  });

  test('does not count in the code of a test or in the URL of another site', () => {
    const text = "const a = 'docs/none.md';\n// https://example.com/docs/none.md\n";
    expect(check({ 'src/a.test.ts': text, 'test/a.ts': text })).toEqual([]);
  });
});

test.each(['src/a.ts', 'web/a.tsx'])('a page or an anchor in a text of the program %s is checked', (file) => {
  const text =
    "say('Set it (docs/limits.md#global-bucket).');\nsay('See docs/limits.md#none, docs/none.md.');\n";
  expect(check({ [file]: text, 'docs/limits.md': LIMITS })).toEqual([
    `${file}:2: docs/limits.md#none: there is no such anchor`,
    `${file}:2: docs/none.md: there is no such file`,
  ]);
});

test('headings have the ids that GitHub gives them', () => {
  expect(slugOf('GET /users/@me/sudo/mfa-methods')).toBe('get-usersmesudomfa-methods');
  expect(slugOf('`wait` and [moves](a.md), <b>twice</b>')).toBe('wait-and-moves-twice');
  expect([...anchorsOf('# A b\n## A b\n### A b #\n').ids]).toEqual(['a-b', 'a-b-1', 'a-b-2']);
});

test('a duplicate anchor of a page is reported', () => {
  const page = '# A\n\n<a id="a"></a><a id="b"></a><a id="b"></a>\n';
  expect(check({ 'a.md': page })).toEqual(['a.md: two anchors are #a', 'a.md: two anchors are #b']);
});

test('no link of this clone is broken', () => {
  const files = filesOf(CLONE);
  expect(files).toContain('docs/rate-limits.md');
  expect(brokenLinks(CLONE, files)).toEqual([]);
});
