/** The process's resident memory; undefined if no file descriptor is left to read it. */
export function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
