/**
 * Text that somebody else chose, such as a User-Agent, without what a terminal would obey: control
 * characters, and those that turn the direction of a line or are not seen, as \u{hex}. One line stays one.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for JSON text, in JSON's own escapes: it means what it meant. */
export function printableJson(json: string): string {
  return json.replaceAll(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  );
}

/** Controls, formats, lone surrogates, private use, unassigned; line and paragraph separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
