import { Fault, invalidForm, Status, type Violation } from '@gatehouse/kit/fault';
import { CONFLICT } from './messages/mentions.ts';

/** 404: the guild or channel does not exist. */
export function notFound(what: 'guild' | 'channel'): Fault {
  return new Fault({ status: Status.NOT_FOUND, reason: 'NOT_FOUND', message: `There is no such ${what}.` });
}

/** 404: the channel has no such message. */
export function unknownMessage(): Fault {
  const message = 'The channel has no such message.';
  return new Fault({ status: Status.NOT_FOUND, reason: 'UNKNOWN_MESSAGE', message });
}

/** 404: the guild has no such role. */
export function unknownRole(): Fault {
  const message = 'The guild has no such role.';
  return new Fault({ status: Status.NOT_FOUND, reason: 'UNKNOWN_ROLE', message });
}

/** 404: the account is not in the guild. */
export function unknownMember(): Fault {
  const message = 'The guild has no such member.';
  return new Fault({ status: Status.NOT_FOUND, reason: 'UNKNOWN_MEMBER', message });
}

/** 404: the account does not exist, or is no recipient of the group DM. */
export function unknownUser(): Fault {
  const message = 'There is no such user here.';
  return new Fault({ status: Status.NOT_FOUND, reason: 'UNKNOWN_USER', message });
}

/** 404: the invite does not exist or has expired. */
export function unknownInvite(): Fault {
  const message = 'There is no such invite. It may have ended.';
  return new Fault({ status: Status.NOT_FOUND, reason: 'UNKNOWN_INVITE', message });
}

/** 400: the request conflicts with existing data, although its form is valid. */
export function badRequest(message: string): Fault {
  return new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message });
}

/** 409: the bot is already a member. */
export function botAlreadyInGuild(): Fault {
  const message = 'The bot is in this guild already.';
  return new Fault({ status: Status.ALREADY_EXISTS, reason: 'BOT_ALREADY_IN_GUILD', message });
}

/** 403: the caller is not in the guild, or cannot view the channel. */
export function missingAccess(): Fault {
  const message = 'You do not have access to this.';
  return new Fault({ status: Status.PERMISSION_DENIED, reason: 'MISSING_ACCESS', message });
}

/** 403: the caller can view the channel but lacks a permission in it. */
export function missingPermissions(): Fault {
  const message = 'You lack the permissions to do this.';
  return new Fault({ status: Status.PERMISSION_DENIED, reason: 'MISSING_PERMISSIONS', message });
}

/** 403: the caller may not manage the channel's webhooks (docs/webhooks.md#permissions). */
export function forbidden(): Fault {
  const message = 'You may not manage the webhooks of this channel.';
  return new Fault({ status: Status.PERMISSION_DENIED, reason: 'FORBIDDEN', message });
}

/** 400: webhooks exist only in guild text and voice channels. */
export function noWebhooksHere(): Fault {
  const message = 'Webhooks exist only in text and voice channels of a guild.';
  return new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message });
}

/** 400: all recipients of a private channel have the same permissions. */
export function noOverwritesHere(): Fault {
  return badRequest('Permission overwrites exist only in channels of a guild.');
}

/** 400: a category has no messages. */
export function noMessagesHere(): Fault {
  const message = 'This channel cannot hold messages.';
  return new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message });
}

/** 400: the channel's slowmode interval since the account's last message has not passed. */
export function slowmodeRateLimited(retry_after_us: number): Fault {
  const retry_after = Math.max(Math.ceil(retry_after_us / 1000), 1) / 1000; // rounded up to a millisecond
  const seconds = Math.ceil(retry_after);
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return new Fault({
    status: Status.RESOURCE_EXHAUSTED,
    reason: 'SLOWMODE_RATE_LIMITED',
    message: `This channel is in slowmode. Try again in ${wait}.`,
    members: { retry_after },
  });
}

/** 400: the message has neither content nor an embed. The violation's path is `root`, the whole body. */
export function emptyMessage(): Fault {
  const reason = 'CANNOT_SEND_EMPTY_MESSAGE';
  const message = 'A message needs content or at least one embed.';
  const violations = [{ path: 'root', code: reason, message }];
  return new Fault({ status: Status.INVALID_ARGUMENT, reason, message, violations });
}

/** 400: the message is invalid. `parse` together with `users` or `roles` has its own code. */
export function invalidMessage(violations: readonly Violation[]): Fault {
  const conflict = violations.find(({ code }) => code === CONFLICT);
  if (conflict === undefined) return invalidForm(violations);
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: CONFLICT,
    message: conflict.message,
    violations,
  });
}
