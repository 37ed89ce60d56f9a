import { counted } from '../text/numbers.ts';
import { type AccountDetails, knownPart, MOST_OWNED } from './account-details.ts';

/** What a suspension reaches: "3 applications and 6 webhooks". */
export function reachOf(details: AccountDetails): string {
  return new Intl.ListFormat('en').format([
    countedPart(knownPart(details, 'applications'), 'application'),
    countedPart(knownPart(details, 'webhooks'), 'webhook'),
  ]);
}

/** The number of things of which no more than 50 are loaded: "50 or more webhooks". */
export function countedPart(things: readonly unknown[] | undefined, noun: string): string {
  if (things === undefined) return `an unknown number of ${noun}s`;
  return things.length >= MOST_OWNED ? `${MOST_OWNED} or more ${noun}s` : counted(things.length, noun);
}

/** @param all the applications of the owner, counted up to 50 */
export function furtherText(all: number): string {
  const further = all - 1;
  if (further <= 0) return 'who has no other application';
  if (all >= MOST_OWNED) return `who has ${further} or more other applications`;
  return `who has ${further} more application${further === 1 ? '' : 's'}`;
}
