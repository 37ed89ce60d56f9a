/** An import of one file by another; paths from the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const FOLDER = /^(.*?\/src)\/([^/]+)\//;

/**
 * The imports between folders of one `src` that form a cycle. Such folders must import each other in one direction.
 */
export function folderCycles(imports: readonly Import[]): Import[] {
  const left = new Map<string, Import & { readonly one: string; readonly other: string }>();
  for (const { from, to } of imports) {
    const [one = '', source] = FOLDER.exec(from) ?? [];
    const [other = '', target] = FOLDER.exec(to) ?? [];
    if (source !== undefined && source === target && one !== other)
      left.set(`${one} ${other}`, { from, to, one, other });
  }
  // A folder is in no cycle if it imports no remaining folder, or if no remaining folder imports it.
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const importing = new Set([...left.values()].map(({ one }) => one));
    const imported = new Set([...left.values()].map(({ other }) => other));
    for (const [key, { one, other }] of left)
      if (!importing.has(other) || !imported.has(one)) left.delete(key);
  }
  return [...left.values()].map(({ from, to }) => ({ from, to }));
}
