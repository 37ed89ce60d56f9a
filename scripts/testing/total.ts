import { type FileResult, type Report, wasSkipped } from './report.ts';

export interface Total {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** An explanation of the numbers. */
  readonly remark?: string;
}

/**
 * Counts every problem as a failure: a file that does not load, a run with an exit code, no tests, and `forbidden`,
 * the number of skipped tests that must not be skipped.
 */
export function countTests(report: Report | undefined, code: number, forbidden = 0): Total {
  if (report === undefined)
    return { passed: 0, failed: 1, skipped: 0, remark: `vitest ended with code ${code}` };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  );
  const passed = report.numPassedTests;
  const failedTests = report.numFailedTests + broken.length;
  const failed = failedTests + forbidden;
  const skipped =
    report.testResults.flatMap(({ assertionResults }) => assertionResults.filter(wasSkipped)).length -
    forbidden;
  if (broken.length > 0) return { passed, failed, skipped, remark: brokenFiles(broken) };
  if (code !== 0 && failedTests === 0) {
    return { passed, failed: failed + 1, skipped, remark: `vitest ended with code ${code}, see above` };
  }
  if (forbidden > 0) return { passed, failed, skipped, remark: FORBIDDEN };
  if (passed + failed === 0) return { passed, failed, skipped, remark: 'no test ran' };
  return { passed, failed, skipped };
}

export function totalLine({ passed, failed, skipped }: Total): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const FORBIDDEN = 'In CI every skipped test that is not on the list counts as failed.';

function brokenFiles(files: readonly FileResult[]): string {
  return `failed outside of its tests: ${files.map(({ name }) => name).join(', ')}`;
}
