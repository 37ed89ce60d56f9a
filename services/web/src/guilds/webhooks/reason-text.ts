import { i18n } from '../../shared/i18n/i18n.ts';
import type { Delivery } from './webhook.ts';

export function outcomeText(outcome: Delivery['outcome']): string {
  switch (outcome) {
    case 'posted':
      return i18n._('Posted');
    case 'nothing':
      return i18n._('Nothing to show');
    case 'refused':
      return i18n._('Refused');
    case 'duplicate':
      return i18n._('Posted before');
  }
}

/** Why nothing was posted, and what to do next. A reason of a later version is shown as it is. */
export function reasonText(reason: string | undefined): string {
  if (reason === undefined) return '';
  const texts = { ...senderReasons(), ...eventReasons(), ...serverReasons() };
  return Object.hasOwn(texts, reason) ? (texts[reason] ?? reason) : reason;
}

/** The same in the preview, which does not refer to itself. */
export function previewReasonText(reason: string | undefined): string {
  if (reason === 'broken_body')
    return i18n._('The payload is no JSON object. Check the template at the sender.');
  if (reason === 'invalid') return i18n._('A part of the payload is invalid.');
  return reasonText(reason);
}

/** The sender's configuration is wrong. */
function senderReasons(): Readonly<Record<string, string>> {
  return {
    wrong_token: i18n._(
      'The address was not complete or not right. Copy it again, and enter it at the sender.',
    ),
    rate_limited: i18n._('There were too many requests in a short time. Let the sender group its messages.'),
    too_large: i18n._('The request was too large. Let the sender send less.'),
    encoded_body: i18n._('The request was compressed. Switch off compression at the sender.'),
    multipart: i18n._('The request was a form with files. Let the sender send JSON.'),
    broken_body: i18n._(
      'The request was no JSON object. Check the template at the sender, with the preview below.',
    ),
    empty: i18n._(
      'The request had neither a text nor an embed. Check that the sender uses the address of its format.',
    ),
    over_limits: i18n._('A text was too long, or there were too many embeds. Let the sender shorten it.'),
    invalid: i18n._('A part of the request was invalid. The preview below names it.'),
  };
}

/** An event without a message. */
function eventReasons(): Readonly<Record<string, string>> {
  return {
    event_missing: i18n._('The header X-Codehost-Event was missing. Let the sender add it.'),
    event_unknown: i18n._('Events of this kind are not shown. There is nothing to do.'),
    repository_missing: i18n._('The event had no repository. Check that the sender sends the whole event.'),
    action_not_shown: i18n._('This event is shown for other actions only. There is nothing to do.'),
    incomplete: i18n._('A part of the event was missing. Check that the sender sends the whole event.'),
    ref_not_shown: i18n._('It was about neither a branch nor a tag. There is nothing to do.'),
    no_commits: i18n._('The push had no commits. There is nothing to do.'),
    check_skipped: i18n._('The check was skipped. There is nothing to do.'),
    section_missing: i18n._(
      'It had no incident, maintenance or component. Check that a status page has sent it.',
    ),
    name_missing: i18n._('The incident or maintenance had no name. Give it one.'),
    delivery_seen: i18n._('The same event was posted in the last 24 hours. There is nothing to do.'),
  };
}

function serverReasons(): Readonly<Record<string, string>> {
  return {
    channel_gone: i18n._('The channel was deleted. Move the webhook to another one.'),
    guild_disabled: i18n._('The guild is disabled. Ask the operators of this server.'),
    refused_by_chat: i18n._('The message was not accepted. Ask the operators of this server.'),
    unavailable: i18n._(
      'The server was busy. Look into the channel before you send it again: it may be there.',
    ),
    failed: i18n._('The server failed. Send it again, or ask its operators.'),
  };
}
