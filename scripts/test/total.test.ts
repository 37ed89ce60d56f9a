import { expect, test } from 'vitest';
import { countTests, totalLine } from '../testing/total.ts';

const report = (counts: object, testResults: object[] = []) =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    ...counts,
    testResults,
  });

const lineOf = (json: string | undefined, code: number) => totalLine(countTests(json, code));

test('counts what passed, failed, and was left out', () => {
  const counts = { numPassedTests: 7, numFailedTests: 2, numPendingTests: 3, numTodoTests: 1 };
  expect(lineOf(report(counts), 1)).toBe('7 passed, 2 failed, 4 skipped');
  expect(lineOf(report({ numPassedTests: 7 }), 0)).toBe('7 passed, 0 failed');
});

test('a file that does not load is a failure, though none of its tests failed', () => {
  const broken = { status: 'failed', name: 'a.test.ts', assertionResults: [] };
  const total = countTests(report({ numPassedTests: 7 }, [broken]), 1);
  expect(totalLine(total)).toBe('7 passed, 1 failed');
  expect(total.remark).toContain('a.test.ts');
});

test('a run that ends badly is a failure, though every test passed', () => {
  expect(lineOf(report({ numPassedTests: 7 }), 1)).toBe('7 passed, 1 failed');
  expect(lineOf(undefined, 1)).toBe('0 passed, 1 failed');
});

test('a run without tests says so', () => {
  expect(countTests(report({}), 0)).toMatchObject({ passed: 0, remark: 'no test ran' });
});
