/** The end of a text that was cut. */
const MARK = '...';

/**
 * Cuts a text to `limit` code points, including the three dots at its end. If the limit leaves room for the dots only,
 * the result is empty.
 */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // A code point takes one or two UTF-16 units, so this prefix is enough, however long the text is.
  const points = Array.from(text.slice(0, 2 * (limit + 1)));
  if (points.length <= limit) return text;
  return limit > MARK.length ? points.slice(0, limit - MARK.length).join('') + MARK : '';
}
