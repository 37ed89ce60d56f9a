/**
 * The rows of a table that describes each of these names, in their order.
 *
 * @throws Error that names an entry without a row, or a row without an entry
 */
export function rowsOf<Row>(
  kind: string,
  names: readonly string[],
  table: Readonly<Record<string, Row>>,
): [name: string, row: Row][] {
  const known = new Set(names);
  for (const name of Object.keys(table))
    if (!known.has(name))
      throw new Error(`realtime has no ${kind} ${name}, which scripts/asyncapi describes`);
  return names.map((name) => {
    const row = table[name];
    if (row === undefined)
      throw new Error(`${kind} ${name} of realtime has no description in scripts/asyncapi`);
    return [name, row];
  });
}
