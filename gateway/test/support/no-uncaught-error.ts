import { afterAll, beforeAll, expect } from 'vitest';

/** Fails a file's tests after an uncaught error, which would end the process. */
export function expectNoUncaughtError(): void {
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
