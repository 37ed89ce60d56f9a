import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withEntry } from '../changelog.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('an entry stands above the earlier ones, with breaking changes first', () => {
  const changelog = '# Changelog\n\n## 1.0.0\n\n### Breaking\n\nAll.\n';
  const changesets = [
    { summary: 'A bug.\n', releases: [{ type: 'patch' as const }] },
    { summary: 'A break.', releases: [{ type: 'major' as const }] },
    { summary: 'Another bug.', releases: [{ type: 'patch' as const }] },
  ];
  expect(withEntry(changelog, '2.0.0', changesets)).toBe(`# Changelog

## 2.0.0

### Breaking

A break.

### Fixed

A bug.

Another bug.

## 1.0.0

### Breaking

All.
`);
});

test('all packages have one version, and the changelog has an entry for it', () => {
  const files = execFileSync('git', ['ls-files', '*package.json'], { cwd: ROOT, encoding: 'utf8' });
  const versions = files
    .trim()
    .split('\n')
    .map((file) => [file, JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8')).version]);
  const [[, version] = []] = versions;
  expect(versions).toEqual(versions.map(([file]) => [file, version]));
  expect(readFileSync(`${ROOT}/CHANGELOG.md`, 'utf8')).toContain(`\n## ${version}\n`);
});
