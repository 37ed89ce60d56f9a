import { oneLine, storable } from '../execution/storable.ts';

/** Longer, in UTF-16 units, than any text of an embed. The rest of a text is not processed. */
const PREFIX = 4096;

/** The beginning of a text, made storable. Empty if nothing is left. */
export function beginningOf(text: string): string {
  return storable(text.slice(0, PREFIX)) ?? '';
}

/** `beginningOf`, for text that shares a line with other words. */
export function lineOf(text: string): string {
  return oneLine(beginningOf(text));
}
