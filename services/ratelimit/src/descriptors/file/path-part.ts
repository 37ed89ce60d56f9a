/** A part of a descriptor's path: `key` or `key_value`, without the characters that a Redis key reserves. */
export function pathPart(key: string, value = ''): string {
  const text = value === '' ? key : `${key}_${value}`;
  return text.replace(/[\s|{}%\p{Cc}]/gu, encodeURIComponent);
}
