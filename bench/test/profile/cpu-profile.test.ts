import { describe, expect, it } from 'vitest';
import { stacksOf } from '../../profile/cpu-profile.ts';

const callFrame = (functionName: string, url = '') => ({
  functionName,
  url,
  scriptId: '0',
  lineNumber: 6,
  columnNumber: 0,
});

describe('the stacks of a CPU profile', () => {
  it('have the time from their samples to the next ones, and their functions from the outermost on', () => {
    const stacks = stacksOf({
      nodes: [
        { id: 1, callFrame: callFrame('(root)'), children: [2] },
        { id: 2, callFrame: callFrame('outer', 'file:///a.ts'), children: [3] },
        { id: 3, callFrame: callFrame('inner') },
      ],
      startTime: 0,
      endTime: 1_000,
      samples: [3, 2, 3, 2],
      timeDeltas: [5, 100, 200, 300],
    });
    const outer = { name: 'outer', url: 'file:///a.ts', line: 7 };
    const inner = { name: 'inner', url: '', line: 7 };
    expect(stacks).toEqual([
      { frames: [outer, inner], us: 400 },
      { frames: [outer], us: 200 },
    ]);
  });
});
