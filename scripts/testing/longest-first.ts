import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_FILES } from './long-files.ts';

/** vitest's order of files, but for those that are known to be long, which begin before it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG_FILES.indexOf(relative(this.ctx.config.root, moduleId));
      return index < 0 ? LONG_FILES.length : index;
    };
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.sort((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}
