import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Report } from './report.ts';

const MAX_CHARACTERS = 600;

/** A line for each failed test, with the message of its error. `.ci/run` repeats them at its end. */
export function describeFailures(report: Report, root: string): string[] {
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length > 0)
      return failed.map(
        ({ fullName, failureMessages }) => `FAILED: ${file}: ${fullName}: ${messageOf(failureMessages?.[0])}`,
      );
    return message ? [`FAILED: ${file}: ${messageOf(message)}`] : [];
  });
}

/** Joins the lines before the stack trace. In a browser's error the later ones name what it waited for. */
function messageOf(text = 'no message'): string {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim());
  const trace = lines.findIndex((line) => line.startsWith('at '));
  const message = lines.slice(0, trace === -1 ? undefined : trace).filter((line) => line !== '');
  return message.join(' | ').slice(0, MAX_CHARACTERS);
}
