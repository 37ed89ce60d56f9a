/** A Markdown table with aligned columns. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headings, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |\n`;
  const [head = [], ...body] = cells;
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + body.map(line).join('');
}
