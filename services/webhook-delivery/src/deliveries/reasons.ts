import type { Outcome, Reason } from '../store/delivery.ts';

interface ReasonRow {
  readonly outcomes: readonly Outcome[];
  /** One or two sentences for people. */
  readonly text: string;
}

/** Why an execution posted nothing: the table of docs/webhooks.md#deliveries. */
export const REASONS: Readonly<Record<Reason, ReasonRow>> = {
  broken_body: {
    outcomes: ['nothing', 'refused'],
    text: 'The body is not a JSON object in UTF-8, nor a form payload=<json> where those are accepted, or it has too many values.',
  },
  event_missing: { outcomes: ['nothing'], text: 'There is no X-Codehost-Event header.' },
  event_unknown: { outcomes: ['nothing'], text: 'Events of this name are not shown.' },
  repository_missing: { outcomes: ['nothing'], text: 'The payload has no object "repository".' },
  action_not_shown: { outcomes: ['nothing'], text: 'This event is not shown for this action.' },
  incomplete: {
    outcomes: ['nothing'],
    text: 'What the event is about is missing from the payload, or what its title is made of.',
  },
  ref_not_shown: { outcomes: ['nothing'], text: 'Branches and tags are shown; this is neither.' },
  no_commits: {
    outcomes: ['nothing'],
    text: 'The push has no commits, or is forced and has no head_commit: a branch or tag was deleted, or a branch created without a commit.',
  },
  check_skipped: { outcomes: ['nothing'], text: 'The check was skipped.' },
  section_missing: {
    outcomes: ['nothing'],
    text: 'There is no incident, maintenance, component_update or component.',
  },
  name_missing: {
    outcomes: ['nothing'],
    text: 'The incident or maintenance has no name. No other section is tried.',
  },
  empty: {
    outcomes: ['refused'],
    text: 'There is nothing to show: no content, and no embed or attachment with anything in it.',
  },
  multipart: { outcomes: ['refused'], text: 'The body is multipart/form-data. Files are not accepted.' },
  over_limits: {
    outcomes: ['refused'],
    text: 'A text is too long or too short, or there are too many embeds. The answer said where.',
  },
  invalid: { outcomes: ['refused'], text: 'A member of the body is invalid. The answer said which.' },
  channel_gone: { outcomes: ['refused'], text: 'The channel of the webhook is gone.' },
  refused_by_chat: {
    outcomes: ['refused'],
    text: 'Chat did not accept the embed. The log of webhook-delivery says why; the sender was not told.',
  },
  unavailable: {
    outcomes: ['refused'],
    text: 'A service did not answer in time: the sender got a 5xx. It may be posted all the same.',
  },
  failed: {
    outcomes: ['refused'],
    text: 'An unexpected error: the sender got a 5xx. The log of webhook-delivery says more.',
  },
  delivery_seen: {
    outcomes: ['duplicate'],
    text: 'An event with this X-Codehost-Delivery was posted in the last 24 hours.',
  },
};
