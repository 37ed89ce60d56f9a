/**
 * Runs a job in the background at an interval, never twice at once: a run that takes longer delays the next. The job
 * must not reject. A long run should end early once `closing` is aborted.
 *
 * @returns a function that aborts `closing`, waits for the current run and starts no other
 */
export function periodicJob(
  every_ms: number,
  job: (closing: AbortSignal) => Promise<void>,
): () => Promise<void> {
  const closing = new AbortController();
  let run: Promise<void> | undefined;
  const timer = setInterval(() => {
    run ??= job(closing.signal).finally(() => {
      run = undefined;
    });
  }, every_ms).unref();
  return async () => {
    closing.abort();
    clearInterval(timer);
    await run;
  };
}
