import { Fault, invalidForm, Status, type Violation } from '@gatehouse/kit/fault';
import { EMBED_LIMITS } from './embed-limits.ts';

/** 401: the call needs an account and came without one. */
export function accountRequired(): Fault {
  return new Fault({
    status: Status.UNAUTHENTICATED,
    reason: 'UNAUTHORIZED',
    message: 'A valid credential is required.',
  });
}

/** 404: no webhook has this ID. */
export function unknownWebhook(): Fault {
  return new Fault({
    status: Status.NOT_FOUND,
    reason: 'NOT_FOUND',
    message: 'There is no such webhook.',
  });
}

/** 401: the webhook exists, and this is not its token. */
export function wrongToken(): Fault {
  return new Fault({
    status: Status.UNAUTHENTICATED,
    reason: 'UNAUTHORIZED',
    message: 'The token does not match the webhook.',
  });
}

/** 400: the edge lets only IDs through; a caller inside may be wrong. */
export function notAnId(path: string): Fault {
  return invalidForm([{ path, code: 'INVALID_SNOWFLAKE_FORMAT', message: 'Must be a decimal ID.' }]);
}

/** 400: a webhook's name or image is not acceptable. */
export function invalidWebhook(violations: readonly Violation[]): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'BAD_REQUEST',
    message: 'The webhook cannot be made like this.',
    violations,
  });
}

/** 400: the channel or the guild has no room for another webhook. */
export function tooManyWebhooks(where: 'channel' | 'guild', max: number): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'BAD_REQUEST',
    message: `A ${where} can hold at most ${max} webhooks.`,
  });
}

/** 400: files cannot be attached, so no execution takes multipart bodies. */
export function multipartRefused(): Fault {
  return invalidForm([
    { path: 'body', code: 'INVALID_FORMAT', message: 'Must be JSON; multipart bodies are not accepted.' },
  ]);
}

/** 400: the body of a provider's route is neither a JSON object nor a form that holds one. */
export function brokenPayload(): Fault {
  return invalidForm([
    {
      path: 'body',
      code: 'INVALID_FORMAT',
      message: 'Must be a JSON object, or a form with one as payload.',
    },
  ]);
}

/** 400: a chat tool's payload holds neither a text nor an attachment that shows anything. */
export function emptyPayload(): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'BAD_REQUEST',
    message: 'The payload holds neither a text nor an attachment to show.',
  });
}

/** 400: a message holds fewer embeds than this. */
export function tooManyEmbeds(): Fault {
  const message = `Must hold at most ${EMBED_LIMITS.embeds} embeds.`;
  return invalidForm([{ path: 'embeds', code: 'TOO_MANY_EMBEDS', message }]);
}
