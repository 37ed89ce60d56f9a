import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Report } from './report.ts';

/** A line for each failed test, with the first line of its error. `.ci/run` repeats them at its end. */
export function describeFailures(report: Report, root: string): string[] {
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length > 0)
      return failed.map(
        ({ fullName, failureMessages }) => `FAILED: ${file}: ${fullName}: ${firstLine(failureMessages?.[0])}`,
      );
    return message ? [`FAILED: ${file}: ${firstLine(message)}`] : [];
  });
}

function firstLine(text = 'no message'): string {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0] ?? '';
}
