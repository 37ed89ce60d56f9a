/** More UTF-16 units than an embed shows of any text: what follows is not looked at. */
const PREFIX = 4096;
const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** Embeddings, overrides and isolates: characters that change the order in which others are shown. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * The beginning of a text as part of a line that has other words too: line breaks become spaces, and what would
 * turn the other words around is left out.
 */
export function oneLine(text: string): string {
  return storable(text).replace(LINE_BREAKS, ' ').replace(REORDERING, '');
}

/** The beginning of a text as messages can hold it: NUL is removed, a lone surrogate is replaced. */
export function storable(text: string): string {
  const beginning = text.slice(0, PREFIX);
  const stored = (beginning.includes('\0') ? beginning.replaceAll('\0', '') : beginning).toWellFormed();
  return /\S/.test(stored) ? stored : '';
}
