import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CaseRun } from './cases/case-run.ts';
import { readCases } from './cases/read-cases.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each([...readCases()])('%s', (_, cases) => {
  test.each(cases.map((one) => [one.name, one] as const))('$0', async (_, one) => {
    const run = new CaseRun(one);
    for (const [index, step] of one.steps.entries()) {
      await run.take(step).catch((error: unknown) => {
        throw new Error(`step ${index} of "${one.name}": ${String(error)}`, { cause: error });
      });
    }
    run.close();
  });
});

test('each case has a name of its own', () => {
  const names = [...readCases().values()].flat().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
