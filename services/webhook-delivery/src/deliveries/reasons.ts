import type { Outcome, Reason } from '../store/delivery.ts';

interface ReasonRow {
  readonly outcomes: readonly Outcome[];
  /** One or two sentences for operators. */
  readonly text: string;
}

/** Why an execution posted nothing: the table of docs/webhooks.md#deliveries. */
export const REASONS: Readonly<Record<Reason, ReasonRow>> = {
  broken_body: {
    outcomes: ['nothing', 'refused'],
    text: 'The body is not a JSON object in UTF-8, nor a form payload=<json> where forms are accepted, or it has too many values.',
  },
  event_missing: { outcomes: ['nothing'], text: 'There is no X-Codehost-Event header.' },
  event_unknown: { outcomes: ['nothing'], text: 'Events of this name are not shown.' },
  repository_missing: { outcomes: ['nothing'], text: 'The payload has no object "repository".' },
  action_not_shown: { outcomes: ['nothing'], text: 'This event is not shown for this action.' },
  incomplete: {
    outcomes: ['nothing'],
    text: 'The object of the event, or a part of its title, is missing from the payload.',
  },
  ref_not_shown: { outcomes: ['nothing'], text: 'The ref is neither a branch nor a tag.' },
  no_commits: {
    outcomes: ['nothing'],
    text: 'The push has no commits, or is forced and has no head_commit: a branch or tag was deleted, or a branch was created without commits.',
  },
  check_skipped: { outcomes: ['nothing'], text: 'The check was skipped.' },
  section_missing: {
    outcomes: ['nothing'],
    text: 'There is no incident, maintenance, component_update or component.',
  },
  name_missing: {
    outcomes: ['nothing'],
    text: 'The incident or maintenance has no name. Other sections are not tried.',
  },
  empty: {
    outcomes: ['refused'],
    text: 'There is nothing to show: no content, and no embed or attachment with content.',
  },
  multipart: { outcomes: ['refused'], text: 'The body is multipart/form-data. Files are not accepted.' },
  over_limits: {
    outcomes: ['refused'],
    text: 'A text is too long or too short, or there are too many embeds. The response named the member.',
  },
  invalid: { outcomes: ['refused'], text: 'A member of the body is invalid. The response named it.' },
  channel_gone: { outcomes: ['refused'], text: "The webhook's channel is deleted." },
  guild_disabled: {
    outcomes: ['refused'],
    text: 'The guild is disabled, so nothing is posted in it. The response was 403.',
  },
  refused_by_chat: {
    outcomes: ['refused'],
    text: 'Chat refused the embed. The log of webhook-delivery has the reason; the sender got no error.',
  },
  unavailable: {
    outcomes: ['refused'],
    text: 'A service did not answer in time, and the sender got a 5xx. The message may have been posted nevertheless.',
  },
  failed: {
    outcomes: ['refused'],
    text: 'An unexpected error; the sender got a 5xx. The log of webhook-delivery has the details.',
  },
  wrong_token: {
    outcomes: ['refused'],
    text: 'The token in the address is not that of the webhook. The response was 401.',
  },
  rate_limited: {
    outcomes: ['refused'],
    text: 'There were too many requests. The response was 429, with the time to wait.',
  },
  too_large: {
    outcomes: ['refused'],
    text: 'The body is longer than the route accepts. The response was 413.',
  },
  encoded_body: {
    outcomes: ['refused'],
    text: 'The body is compressed. The response was 415: send it without Content-Encoding.',
  },
  delivery_seen: {
    outcomes: ['duplicate'],
    text: 'An event with this X-Codehost-Delivery was posted in the last 24 hours.',
  },
};
