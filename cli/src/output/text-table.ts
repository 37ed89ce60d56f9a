/** Lines of aligned columns, two blanks apart. A row has as many lines as its highest cell. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.split('\n')));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, lines] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, ...lines.map((line) => line.length));
  }
  return cells.map((row) => rowText(row, widths)).join('');
}

function rowText(row: readonly (readonly string[])[], widths: readonly number[]): string {
  const height = Math.max(...row.map((lines) => lines.length));
  let text = '';
  for (let index = 0; index < height; index++) {
    const line = row.map((lines, column) => (lines[index] ?? '').padEnd(widths[column] ?? 0)).join('  ');
    text += `${line.trimEnd()}\n`;
  }
  return text;
}
