import { countText } from '../text/numbers.ts';

/** As many failed requests of an application are kept. */
const MOST_KEPT = 50;

/** How many requests have failed: "12 failed", or "50 or more failed". */
export function failedText(count: number): string {
  return `${countText(count)}${count >= MOST_KEPT ? ' or more' : ''} failed`;
}
