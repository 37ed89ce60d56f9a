import { oneLine, storable } from '../execution/storable.ts';

/** In UTF-16 units: longer than any text of an embed. The rest is not processed. */
const MAX_UNITS = 4096;

/** The beginning of a text, made storable. Empty if nothing is left. */
export function beginningOf(text: string): string {
  return storable(text.slice(0, MAX_UNITS)) ?? '';
}

/** `beginningOf`, for text within a line. */
export function lineOf(text: string): string {
  return oneLine(beginningOf(text));
}
