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

/**
 * The name of an event as it is noted. What does not look like one is not: a header may hold anything, even a secret.
 */
export function notedEvent(header: string | null | undefined): string | null {
  const name = header?.trim() ?? '';
  return EVENT_NAME.test(name) ? name : null;
}

const EVENT_NAME = /^[A-Za-z][A-Za-z_. -]{0,63}$/;
