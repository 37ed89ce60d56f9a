/** The memory that this process has of the system; undefined where there is no descriptor left to ask with. */
export function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
