import { relative } from 'node:path';
import { ACCEPTED_SKIPS, type AcceptedSkip } from './accepted-skips.ts';
import { type Report, wasSkipped } from './report.ts';

export interface Skips {
  /** Each skipped test with its reason, and needless entries of the list. */
  readonly lines: readonly string[];
  /** The number of skipped tests that are not on the list. */
  readonly unlisted: number;
}

const UNLISTED = 'not on the list in scripts/testing/accepted-skips.ts';

/** Compares a run's skipped tests with the list. `root` is the folder of the list's paths. */
export function readSkips(
  report: Report,
  root: string,
  accepted: readonly AcceptedSkip[] = ACCEPTED_SKIPS,
): Skips {
  const byReason = new Map<string, string[]>();
  const met = new Set<AcceptedSkip>();
  const files = report.testResults.map(({ name, assertionResults }) => ({
    file: relative(root, name),
    skipped: assertionResults.filter(wasSkipped),
  }));
  for (const { file, skipped } of files) {
    for (const { fullName } of skipped) {
      const entry = accepted.find((one) => one.file === file && (one.name?.test(fullName) ?? true));
      if (entry !== undefined) met.add(entry);
      const reason = entry?.reason ?? UNLISTED;
      byReason.set(reason, [...(byReason.get(reason) ?? []), `  ${file}: ${fullName}`]);
    }
  }
  const idle = accepted.filter((entry) => !met.has(entry) && files.some(({ file }) => file === entry.file));
  return {
    lines: [
      ...[...byReason].flatMap(([reason, tests]) => [`SKIPPED (${tests.length}): ${reason}`, ...tests]),
      ...idle.map(
        ({ file, reason }) => `ran, although it is on the list of accepted skips: ${file} (${reason})`,
      ),
    ],
    unlisted: byReason.get(UNLISTED)?.length ?? 0,
  };
}
