/** An SVG path of the dark modules of a QR code, each one unit wide. Adjacent modules of a row are one rectangle. */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  return rows.map(rowOf).join('');
}

function rowOf(row: readonly boolean[], y: number): string {
  let path = '';
  let x = 0;
  while (x < row.length) {
    let width = 0;
    while (row[x + width]) width += 1;
    if (width > 0) path += `M${x} ${y}h${width}v1h-${width}z`;
    x += width + 1;
  }
  return path;
}
