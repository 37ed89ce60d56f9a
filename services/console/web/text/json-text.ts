/** The members of a JSON object as "name: value" on one line; other texts as they are. */
export function jsonText(json: string | null | undefined): string {
  if (!json) return '';
  const value = parsed(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return json;
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${typeof member === 'string' ? member : JSON.stringify(member)}`)
    .join(', ');
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
