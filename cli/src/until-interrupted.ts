/** Runs work that goes on until the signal: its failure after that is no failure. */
export async function untilInterrupted(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
