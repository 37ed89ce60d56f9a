/** The formats of an execution, one for each POST route. */
export const DIALECTS = ['webhook', 'chatcompat', 'codehost', 'statuspage'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The outcome of an execution that posted nothing. */
export type UnpostedOutcome =
  | { readonly outcome: 'nothing'; readonly reason: NothingReason }
  | { readonly outcome: 'refused'; readonly reason: RefusedReason }
  | { readonly outcome: 'duplicate'; readonly reason: 'delivery_seen' };
export type Outcome = UnpostedOutcome['outcome'];
export type Reason = UnpostedOutcome['reason'];

/** Why an execution was not accepted (docs/webhooks.md#deliveries). */
export type RefusedReason =
  | 'multipart'
  | 'broken_body'
  | 'empty'
  /** The length of a text, or the number of embeds, is out of range. */
  | 'over_limits'
  | 'invalid'
  | 'channel_gone'
  /** Chat refused the rendered message. The sender gets no error. */
  | 'refused_by_chat'
  /** A required service did not answer. */
  | 'unavailable'
  | 'failed';

/** An execution that posted nothing, as stored. It contains nothing from the body. */
export interface Delivery {
  readonly webhook_id: string;
  readonly dialect: Dialect;
  readonly event: string | null;
  readonly outcome: Outcome;
  readonly reason: Reason;
}

/** Why a payload has nothing to show (docs/webhooks.md#deliveries). */
export type NothingReason =
  /** The body is not a JSON object. */
  | 'broken_body'
  | 'event_missing'
  | 'event_unknown'
  | 'repository_missing'
  /** The event is rendered for other actions only. */
  | 'action_not_shown'
  /** The subject of the event is missing, or a part of its title. */
  | 'incomplete'
  /** The ref is neither a branch nor a tag. */
  | 'ref_not_shown'
  | 'no_commits'
  | 'check_skipped'
  /** There is no incident, maintenance or component. */
  | 'section_missing'
  | 'name_missing'
  /** There is neither a text nor an attachment to show. */
  | 'empty';
