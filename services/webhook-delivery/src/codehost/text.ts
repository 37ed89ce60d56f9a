import { oneLine as inOneLine, storable as madeStorable } from '../execution/storable.ts';

/** More UTF-16 units than an embed shows of any text: what follows is not looked at. */
const PREFIX = 4096;

/** The beginning of a text, made storable, as part of a line that has other words too. */
export function oneLine(text: string): string {
  return inOneLine(storable(text));
}

/** The beginning of a text as messages can hold it; empty when nothing is left of it. */
export function storable(text: string): string {
  return madeStorable(text.slice(0, PREFIX)) ?? '';
}
