import { Fault, faultsOf, invalidForm, type Violation } from '@gatehouse/kit/fault';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { ERRORS } from '@gatehouse/proto/errors';

/** Creates an error of the catalogue (proto/errors.ts). */
export const fault = faultsOf(ERRORS);

/** 404: no webhook has this ID. */
export function unknownWebhook(): Fault {
  return fault('NOT_FOUND', { message: 'There is no such webhook.' });
}

/** 401: the webhook exists, but its token is another one. */
export function wrongToken(): Fault {
  return fault('UNAUTHORIZED', { message: 'The token does not match the webhook.' });
}

/** 403: an operator disabled the webhook, or suspended its creator. The holder of its token gets `wrongToken`. */
export function disabledWebhook(): Fault {
  return fault('FORBIDDEN', { message: 'The webhook is disabled.' });
}

/** For operators: no webhook has this ID. */
export function noSuchWebhook(): Fault {
  return fault('UNKNOWN_WEBHOOK');
}

/** Chat did nothing, because the webhook's credential was checked before the fence of the guild. */
export function isOutdatedCheck(error: unknown): error is Fault {
  return error instanceof Fault && error.reason === 'WEBHOOK_CHECK_OUTDATED';
}

/** 403: the token of a webhook can change its name and avatar, but not move it. */
export function noMoveByToken(): Fault {
  return fault('FORBIDDEN', { message: 'A webhook cannot be moved with its token.' });
}

/** 400: a malformed ID, from a caller other than the edge, which refuses these itself. */
export function notAnId(path: string): Fault {
  return invalidForm([{ path, code: 'INVALID_SNOWFLAKE_FORMAT', message: 'Must be a decimal ID.' }]);
}

/** 400: the webhook's name or avatar is invalid. */
export function invalidWebhook(violations: readonly Violation[]): Fault {
  return fault('BAD_REQUEST', { message: 'The name or the avatar of the webhook is invalid.', violations });
}

/** 400: the channel or the guild has the maximum number of webhooks. */
export function tooManyWebhooks(where: 'channel' | 'guild', max: number): Fault {
  return fault('BAD_REQUEST', { message: `A ${where} can have at most ${max} webhooks.` });
}

/** 400: the payload of a delivery is not kept, so it cannot be sent again. */
export function noPayloadKept(): Fault {
  return fault('BAD_REQUEST', { message: 'The payload of this delivery is not kept.' });
}

/** 403: settings of a guild need a permission besides MANAGE_WEBHOOKS. */
export function needsManageGuild(): Fault {
  return fault('FORBIDDEN', {
    message: 'Changing the settings of webhooks needs the permission MANAGE_GUILD.',
  });
}

/** 400: multipart bodies are not accepted, because webhooks take no files. */
export function multipartRefused(): Fault {
  return invalidForm([
    { path: 'body', code: 'INVALID_FORMAT', message: 'Must be JSON; multipart bodies are not accepted.' },
  ]);
}

/** 400: the body of a provider's route is neither a JSON object nor a form with one. */
export function brokenPayload(): Fault {
  return invalidForm([
    {
      path: 'body',
      code: 'INVALID_FORMAT',
      message: 'Must be a JSON object, or a form with one as payload.',
    },
  ]);
}

/** 400: a chat tool's payload has neither a text nor an attachment to show. */
export function emptyPayload(): Fault {
  return fault('BAD_REQUEST', { message: 'The payload holds neither a text nor an attachment to show.' });
}

/** 400: the message has too many embeds. */
export function tooManyEmbeds(): Fault {
  const message = `Must hold at most ${EMBED_LIMITS.embeds} embeds.`;
  return invalidForm([{ path: 'embeds', code: 'TOO_MANY_EMBEDS', message }]);
}
