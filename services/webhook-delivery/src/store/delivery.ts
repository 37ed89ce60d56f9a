/** The formats of an execution, one for each POST route. */
export const DIALECTS = ['webhook', 'chatcompat', 'codehost', 'statuspage'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The outcome of an execution that posted nothing. */
export type UnpostedOutcome =
  | { readonly outcome: 'nothing'; readonly reason: NothingReason }
  | { readonly outcome: 'refused'; readonly reason: RefusedReason }
  | { readonly outcome: 'duplicate'; readonly reason: 'delivery_seen' };
export type Outcome = UnpostedOutcome['outcome'];
export type Reason = UnpostedOutcome['reason'] | TurnedAwayReason;

/** Why the edge turned an execution away: the service never saw its body. */
export const TURNED_AWAY_REASONS = ['wrong_token', 'rate_limited', 'too_large', 'encoded_body'] as const;
export type TurnedAwayReason = (typeof TURNED_AWAY_REASONS)[number];

/** Why an execution was not accepted (docs/webhooks.md#deliveries). */
export type RefusedReason =
  | 'multipart'
  | 'broken_body'
  | 'empty'
  /** The length of a text, or the number of embeds, is out of range. */
  | 'over_limits'
  | 'invalid'
  | 'channel_gone'
  /** An operator disabled the guild. */
  | 'guild_disabled'
  /** Chat refused the rendered message. The sender gets no error. */
  | 'refused_by_chat'
  /** A required service did not answer. */
  | 'unavailable'
  | 'failed';

/** Who sent an execution: its sender, or a manager who sent a delivery again or a test. */
export type Origin = 'sender' | 'retry' | 'test';

/** An execution, as stored. It contains nothing from the body. */
export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly dialect: Dialect;
  readonly event: string | null;
  readonly outcome: Outcome | 'posted';
  /** Empty if there is a message. */
  readonly reason: Reason | '';
  readonly message_id: string | null;
  /** The channel of the message. */
  readonly channel_id: string | null;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly origin: Origin;
  readonly retry_of: string | null;
}

/** The sent values, to be sent again. */
export interface Payload {
  readonly content_type: string | null;
  readonly event: string | null;
  readonly body: Uint8Array;
}

/** A delivery to store, with its payload if that is kept. */
export interface DeliveryRecord {
  readonly delivery: Delivery;
  readonly payload: Payload | undefined;
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
