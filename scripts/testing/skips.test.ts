import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACCEPTED_SKIPS } from './accepted-skips.ts';
import type { Report } from './report.ts';
import { readSkips } from './skips.ts';

const ROOT = new URL('../../', import.meta.url);

const report = (files: Readonly<Record<string, Readonly<Record<string, string>>>>): Report => ({
  numPassedTests: 1,
  numFailedTests: 0,
  testResults: Object.entries(files).map(([file, tests]) => ({
    status: 'passed',
    name: `/project/${file}`,
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ status, fullName })),
  })),
});

const accepted = [
  { file: 'a.test.ts', reason: 'needs a moon' },
  { file: 'b.test.ts', name: /^in space /, reason: 'needs space' },
];

test('lists each skipped test with its reason, and counts those that are not on the list', () => {
  const skipped = { one: 'skipped', two: 'passed', three: 'todo' };
  const inSpace = { 'in space it floats': 'skipped', 'at sea in space it floats': 'skipped' };
  expect(readSkips(report({ 'a.test.ts': skipped, 'b.test.ts': inSpace }), '/project', accepted)).toEqual({
    lines: [
      'SKIPPED (2): needs a moon',
      '  a.test.ts: one',
      '  a.test.ts: three',
      'SKIPPED (1): needs space',
      '  b.test.ts: in space it floats',
      'SKIPPED (1): not on the list in scripts/testing/accepted-skips.ts',
      '  b.test.ts: at sea in space it floats',
    ],
    unlisted: 1,
  });
});

test('reports listed tests that ran, and ignores files that were not selected', () => {
  expect(readSkips(report({ 'a.test.ts': { one: 'passed' } }), '/project', accepted)).toEqual({
    lines: ['ran, although it is on the list of accepted skips: a.test.ts (needs a moon)'],
    unlisted: 0,
  });
});

test('the list names existing files', () => {
  for (const { file } of ACCEPTED_SKIPS)
    expect([file, existsSync(new URL(file, ROOT))]).toEqual([file, true]);
});
