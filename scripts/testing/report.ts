import { join } from 'node:path';

/** The parts of vitest's JSON report that are used here. */
export interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly FileResult[];
}

export interface FileResult {
  readonly status: string;
  /** The file's absolute path. */
  readonly name: string;
  /** The error, if it did not load. */
  readonly message?: string;
  readonly assertionResults: readonly TestResult[];
}

export interface TestResult {
  readonly status: string;
  /** The test's name, after the names of its describe blocks. */
  readonly fullName: string;
  readonly failureMessages?: readonly string[] | null;
}

/** Whether a test did not run: `skip`, `skipIf`, `todo`, or a name that `-t` does not match. */
export function wasSkipped({ status }: TestResult): boolean {
  return status === 'skipped' || status === 'pending' || status === 'todo';
}

/** The file with the report of a task. It is one of the task's outputs, so turbo caches it. */
export function reportFile(workspace: string, name?: string): string {
  return join(workspace, '.turbo', name === undefined ? 'test-report.json' : `test-report-${name}.json`);
}

export function mergeReports(reports: readonly Report[]): Report {
  const sum = (of: (report: Report) => number): number => reports.reduce((total, one) => total + of(one), 0);
  return {
    numPassedTests: sum((one) => one.numPassedTests),
    numFailedTests: sum((one) => one.numFailedTests),
    testResults: reports.flatMap(({ testResults }) => testResults),
  };
}
