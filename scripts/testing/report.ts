import { join } from 'node:path';

/** The parts of vitest's JSON report that are read here. */
export interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly FileResult[];
}

export interface FileResult {
  readonly status: string;
  /** The file's absolute path. */
  readonly name: string;
  /** Why it did not load, if it did not. */
  readonly message?: string;
  readonly assertionResults: readonly TestResult[];
}

export interface TestResult {
  readonly status: string;
  /** The test's name, behind those of the suites it is in. */
  readonly fullName: string;
  readonly failureMessages?: readonly string[] | null;
}

/** Whether a test did not run: `skip`, `skipIf`, `todo`, or another name than the one that was asked for. */
export function wasSkipped({ status }: TestResult): boolean {
  return status === 'skipped' || status === 'pending' || status === 'todo';
}

/** Where a task of turbo.json leaves its report: a part of what turbo keeps of it. */
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
