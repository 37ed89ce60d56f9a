import { textAt } from './json-object.ts';

const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** Bidirectional embeddings, overrides and isolates: characters that reorder the text around them. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Makes a text storable: removes NUL and replaces lone surrogates. Undefined if nothing is left. */
export function storable(text: string): string | undefined {
  const stored = (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed();
  return /\S/.test(stored) ? stored : undefined;
}

/** `textAt`, made storable. */
export function storableAt(from: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(from, ...path);
  return text === undefined ? undefined : storable(text);
}

/** Makes a text safe within a line: line breaks become spaces, and characters that reorder text are removed. */
export function oneLine(text: string): string {
  return text.replace(LINE_BREAKS, ' ').replace(REORDERING, '');
}

/** `storableAt`, trimmed and on one line. */
export function lineAt(from: unknown, ...path: readonly string[]): string | undefined {
  return oneLine(storableAt(from, ...path) ?? '').trim() || undefined;
}
