import { oneLine, storable } from '../execution/storable.ts';

/** More UTF-16 units than an embed shows of any text: what follows is not looked at. */
const PREFIX = 4096;

/** The beginning of a text as messages can hold it; empty when nothing is left of it. */
export function beginningOf(text: string): string {
  return storable(text.slice(0, PREFIX)) ?? '';
}

/** `beginningOf`, for a line that has other words too. */
export function lineOf(text: string): string {
  return oneLine(beginningOf(text));
}
