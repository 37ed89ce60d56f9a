/** How many headers of a name, in lower case, came. Of some Node keeps the first alone and says nothing. */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}
