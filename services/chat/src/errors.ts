import { type Fault, faultsOf, invalidForm, type Violation } from '@gatehouse/kit/fault';
import { ERRORS } from '@gatehouse/proto/errors';
import { MENTIONS_CONFLICT } from './messages/mentions.ts';

/** Creates an error of the catalogue (proto/errors.ts). */
export const fault = faultsOf(ERRORS);

/** 404: the guild or channel does not exist. */
export function notFound(what: 'guild' | 'channel'): Fault {
  return fault('NOT_FOUND', { message: `There is no such ${what}.` });
}

/** 403: an operator disabled the guild (docs/guilds.md#disabled-guilds). */
export function guildDisabled(): Fault {
  return fault('GUILD_DISABLED');
}

/** For operators: no guild has this ID. */
export function noSuchGuild(): Fault {
  return fault('UNKNOWN_GUILD');
}

/** 404: the channel has no such message. */
export function unknownMessage(): Fault {
  return fault('UNKNOWN_MESSAGE');
}

/** 404: the guild has no such role. */
export function unknownRole(): Fault {
  return fault('UNKNOWN_ROLE');
}

/** 404: the account is not in the guild. */
export function unknownMember(): Fault {
  return fault('UNKNOWN_MEMBER');
}

/** 404: the account does not exist, or is no recipient of the group DM. */
export function unknownUser(): Fault {
  return fault('UNKNOWN_USER', { message: 'There is no such user here.' });
}

/** 404: the invite does not exist or has expired. */
export function unknownInvite(): Fault {
  return fault('UNKNOWN_INVITE');
}

/** The guild's fence is higher than at the check of the webhook's credential, which webhook-delivery repeats. */
export function webhookCheckOutdated(fence: number): Fault {
  return fault('WEBHOOK_CHECK_OUTDATED', { members: { fence } });
}

/** 400: the request conflicts with existing data, although its form is valid. */
export function badRequest(message: string): Fault {
  return fault('BAD_REQUEST', { message });
}

/** 409: the bot is already a member. */
export function botAlreadyInGuild(): Fault {
  return fault('BOT_ALREADY_IN_GUILD');
}

/** 403: the caller is not in the guild, or cannot view the channel. */
export function missingAccess(): Fault {
  return fault('MISSING_ACCESS');
}

/** 403: the caller can view the channel but lacks a permission in it. */
export function missingPermissions(): Fault {
  return fault('MISSING_PERMISSIONS');
}

/** 403: the caller may not manage the channel's webhooks (docs/webhooks.md#permissions). */
export function forbidden(): Fault {
  return fault('FORBIDDEN', { message: 'You may not manage the webhooks of this channel.' });
}

/** 400: webhooks exist only in guild text and voice channels. */
export function noWebhooksHere(): Fault {
  return badRequest('Webhooks exist only in text and voice channels of a guild.');
}

/** 400: all recipients of a private channel have the same permissions. */
export function noOverwritesHere(): Fault {
  return badRequest('Permission overwrites exist only in channels of a guild.');
}

/** 400: a category has no messages. */
export function noMessagesHere(): Fault {
  return badRequest('This channel cannot hold messages.');
}

/** 400: a private channel has no invites. */
export function noInvitesHere(): Fault {
  return badRequest('There are invites to channels of guilds only.');
}

/** 400: the channel's slowmode interval since the account's last message has not passed. */
export function slowmodeRateLimited(retry_after_us: number): Fault {
  const retry_after = Math.max(Math.ceil(retry_after_us / 1000), 1) / 1000; // rounded up to a millisecond
  const seconds = Math.ceil(retry_after);
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return fault('SLOWMODE_RATE_LIMITED', {
    message: `This channel is in slowmode. Try again in ${wait}.`,
    members: { retry_after },
  });
}

/** 400: the message has neither content nor an embed. The violation's path is `root`, the whole body. */
export function emptyMessage(): Fault {
  const code = 'CANNOT_SEND_EMPTY_MESSAGE';
  const { message } = ERRORS[code];
  return fault(code, { violations: [{ path: 'root', code, message }] });
}

/** 400: the message is invalid. `parse` together with `users` or `roles` has its own code. */
export function invalidMessage(violations: readonly Violation[]): Fault {
  const conflict = violations.find(({ code }) => code === MENTIONS_CONFLICT);
  if (conflict === undefined) return invalidForm(violations);
  return fault(MENTIONS_CONFLICT, { message: conflict.message, violations });
}
