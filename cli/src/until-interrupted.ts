/** Runs work until the signal. A failure after the signal is ignored. */
export async function untilInterrupted(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
