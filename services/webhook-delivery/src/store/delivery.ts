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

/** Why a payload has nothing to show (docs/webhooks.md#deliveries). */
export type NothingReason =
  /** The body is no JSON object. */
  | 'broken_body'
  | 'event_missing'
  | 'event_unknown'
  | 'repository_missing'
  /** The event is shown for other actions only. */
  | 'action_not_shown'
  /** What the event is about is missing, or what its title needs of it. */
  | 'incomplete'
  /** A branch or a tag is shown; this is neither. */
  | 'ref_not_shown'
  | 'no_commits'
  | 'check_skipped'
  /** There is no incident, maintenance or component. */
  | 'section_missing'
  | 'name_missing'
  /** There is neither a text nor an attachment to show. */
  | 'empty';
