const ELLIPSIS = '...';

/** Cuts a text to `limit` code points, including three dots. Empty if the limit leaves no space for more than these. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // A code point takes one or two UTF-16 units, so this prefix is enough, however long the text is.
  const points = Array.from(text.slice(0, 2 * (limit + 1)));
  if (points.length <= limit) return text;
  return limit > ELLIPSIS.length ? points.slice(0, limit - ELLIPSIS.length).join('') + ELLIPSIS : '';
}
