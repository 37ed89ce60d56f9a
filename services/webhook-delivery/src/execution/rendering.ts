/** What a payload becomes: a message, or nothing, and why. */
export type Rendering<M> = { readonly message: M } | { readonly nothing: NothingReason };

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
