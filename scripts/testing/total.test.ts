import { expect, test } from 'vitest';
import { describeFailures } from './failures.ts';
import type { FileResult, Report } from './report.ts';
import { countTests, totalLine } from './total.ts';

const report = (counts: Partial<Report>, testResults: FileResult[] = []): Report => ({
  numPassedTests: 0,
  numFailedTests: 0,
  ...counts,
  testResults,
});

const skipping = (...statuses: string[]): FileResult => ({
  status: 'passed',
  name: 'a.test.ts',
  assertionResults: statuses.map((status) => ({ status, fullName: 'a test' })),
});

const lineOf = (of: Report | undefined, code: number, forbidden = 0) =>
  totalLine(countTests(of, code, forbidden));

test('counts passed, failed and skipped tests', () => {
  const counts = { numPassedTests: 7, numFailedTests: 2 };
  const skipped = [skipping('passed', 'skipped', 'todo'), skipping('skipped', 'pending')];
  expect(lineOf(report(counts, skipped), 1)).toBe('7 passed, 2 failed, 4 skipped');
  expect(lineOf(report({ numPassedTests: 7 }), 0)).toBe('7 passed, 0 failed');
});

test('a forbidden skip counts as a failure', () => {
  const skipped = [skipping('skipped', 'skipped', 'skipped')];
  const total = countTests(report({ numPassedTests: 7 }, skipped), 0, 2);
  expect(totalLine(total)).toBe('7 passed, 2 failed, 1 skipped');
  expect(total.remark).toContain('not on the list');
  expect(lineOf(report({}, skipped), 0, 3)).toBe('0 passed, 3 failed');
  expect(lineOf(report({ numPassedTests: 7 }, skipped), 1, 3)).toBe('7 passed, 4 failed');
});

test('a file that does not load is a failure, even if none of its tests failed', () => {
  const broken = { status: 'failed', name: 'a.test.ts', assertionResults: [] };
  const total = countTests(report({ numPassedTests: 7 }, [broken]), 1);
  expect(totalLine(total)).toBe('7 passed, 1 failed');
  expect(total.remark).toContain('a.test.ts');
});

test('a run with an exit code is a failure, even if every test passed', () => {
  expect(lineOf(report({ numPassedTests: 7 }), 1)).toBe('7 passed, 1 failed');
  expect(lineOf(undefined, 1)).toBe('0 passed, 1 failed');
});

test('a run without tests is reported as such', () => {
  expect(countTests(report({}), 0)).toMatchObject({ passed: 0, remark: 'no test ran' });
});

test('lists each failure with the message of its error, in one line', () => {
  const failed: FileResult = {
    status: 'failed',
    name: '/project/kit/a.test.ts',
    message: '',
    assertionResults: [
      { status: 'passed', fullName: 'a test' },
      {
        status: 'failed',
        fullName: 'another test',
        failureMessages: [
          '\u001b[31mError: no\u001b[39m\nwaiting for a button\n\n  at click (a.test.ts:1:1)',
        ],
      },
    ],
  };
  const broken: FileResult = {
    ...failed,
    name: '/project/b.test.ts',
    message: 'no file',
    assertionResults: [],
  };
  expect(describeFailures(report({}, [failed, broken]), '/project')).toEqual([
    'FAILED: kit/a.test.ts: another test: Error: no | waiting for a button',
    'FAILED: b.test.ts: no file',
  ]);
});
