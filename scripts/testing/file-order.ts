import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_FILES } from './long-files.ts';

/**
 * vitest's order of files, but two kinds begin before it: those that share a suite, one right after the other while the
 * suite runs, and then those that are known to be long.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const suites = new Map(sorted.map(({ moduleId }) => [moduleId, sharedSuite(moduleId)]));
    const suite = ({ moduleId }: TestSpecification) => suites.get(moduleId) ?? '';
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG_FILES.indexOf(relative(this.ctx.config.root, moduleId));
      return index < 0 ? LONG_FILES.length : index;
    };
    return sorted.sort(
      (a, b) => group(a) - group(b) || suite(b).localeCompare(suite(a)) || rank(a) - rank(b),
    );
  }
}

/** How a file asks for a suite that others use too (test-e2e/support/suite.ts); empty if it does not. */
function sharedSuite(path: string): string {
  return /\buse(?:Any|Shared)Suite\(.*?\)/.exec(readFileSync(path, 'utf8'))?.[0] ?? '';
}
