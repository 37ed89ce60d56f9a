import { afterAll, beforeAll, expect } from 'vitest';

/** For a whole file: no error in it may stay uncaught, which would end the process. */
export function expectNoLooseFailure(): void {
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  beforeAll(() => {
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
  });
  afterAll(() => {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
    expect(failures).toEqual([]);
  });
}
