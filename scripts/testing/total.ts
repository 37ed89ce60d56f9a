export interface Total {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What the numbers alone do not tell. */
  readonly remark?: string;
}

/** The parts of vitest's JSON report that count. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Whatever goes wrong counts as a failure: a file that does not load, a run that does not end well, no tests. */
export function countTests(json: string | undefined, code: number): Total {
  if (json === undefined)
    return { passed: 0, failed: 1, skipped: 0, remark: `vitest ended with code ${code}` };
  const report: Report = JSON.parse(json);
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  );
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + broken.length;
  const skipped = report.numPendingTests + report.numTodoTests;
  if (failed > 0)
    return { passed, failed, skipped, ...(broken.length > 0 && { remark: brokenFiles(broken) }) };
  if (code !== 0) return { passed, failed: 1, skipped, remark: `vitest ended with code ${code}, see above` };
  if (passed === 0) return { passed, failed, skipped, remark: 'no test ran' };
  return { passed, failed, skipped };
}

export function totalLine({ passed, failed, skipped }: Total): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function brokenFiles(files: readonly { name: string }[]): string {
  return `did not run to its end: ${files.map(({ name }) => name).join(', ')}`;
}
