import { stripVTControlCharacters } from 'node:util';

/**
 * Text from clients, such as a User-Agent, safe for a terminal: control characters, and those that are invisible or
 * change the direction of text, are written as \u{hex}. One line stays one line.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for JSON text, with JSON's own escapes. Its value does not change. */
export function printableJson(json: string): string {
  return json.replaceAll(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  );
}

/** Control, format, surrogate, private-use and unassigned characters; line and paragraph separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** The same text without terminal control sequences and direction marks. Line feeds stay. */
export function stripControls(text: string): string {
  return stripVTControlCharacters(text).replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}
