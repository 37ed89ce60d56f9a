import type { NothingReason } from '../execution/rendering.ts';

/** How a webhook is executed: its four POST routes. */
export const DIALECTS = ['webhook', 'chatcompat', 'codehost', 'statuspage'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** What became of an execution that posted nothing. */
export type Unposted =
  | { readonly outcome: 'nothing'; readonly reason: NothingReason }
  | { readonly outcome: 'refused'; readonly reason: RefusedReason }
  | { readonly outcome: 'duplicate'; readonly reason: 'delivery_seen' };
export type Outcome = Unposted['outcome'];
export type Reason = Unposted['reason'];

/** Why an execution was not accepted (docs/webhooks.md#deliveries). */
export type RefusedReason =
  | 'multipart'
  | 'broken_body'
  | 'empty'
  /** A text, or a number of embeds, is outside its limits. */
  | 'over_limits'
  | 'invalid'
  | 'channel_gone'
  /** Chat does not take what was rendered; the sender is not told. */
  | 'refused_by_chat'
  /** A service that is needed did not answer. */
  | 'unavailable'
  | 'failed';

/** An execution that posted nothing, as it is noted. Nothing in it comes from the body. */
export interface Delivery {
  readonly webhook_id: string;
  readonly dialect: Dialect;
  readonly event: string | null;
  readonly outcome: Outcome;
  readonly reason: Reason;
}

export const MAX_EVENT = 64;

/** The name of an event as it is noted: of printable characters, and not long, whatever the header holds. */
export function notedEvent(header: string | null | undefined): string | null {
  // A character takes one or two UTF-16 units, so some hundred of them are enough, however long the header is.
  const printable = (header ?? '')
    .slice(0, 4 * MAX_EVENT)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  const cut = Array.from(printable).slice(0, MAX_EVENT).join('').trimEnd();
  return cut === '' ? null : cut;
}
