import { type Fault, faultsOf, invalidForm, Status, unavailable } from '@gatehouse/kit/fault';
import { ERRORS } from '@gatehouse/proto/errors';

/** Creates an error of the catalogue (proto/errors.ts). */
export const fault = faultsOf(ERRORS);

/** 400: the account has the maximum number of applications. */
export function tooManyApplications(max: number): Fault {
  const status = Status.FAILED_PRECONDITION;
  return fault('BAD_REQUEST', { status, message: `An account can have at most ${max} applications.` });
}

/** 404: no application has this ID. */
export function unknownApplication(): Fault {
  return fault('UNKNOWN_APPLICATION');
}

/** 403: the application belongs to another account. */
export function notYourApplication(): Fault {
  return fault('FORBIDDEN', { message: 'This application belongs to another account.' });
}

/** 400: the application is a public client. */
export function noClientSecret(): Fault {
  const status = Status.FAILED_PRECONDITION;
  return fault('BAD_REQUEST', { status, message: 'A public application has no client secret.' });
}

/** 400: the application has two client secrets. */
export function tooManyClientSecrets(): Fault {
  const status = Status.FAILED_PRECONDITION;
  return fault('BAD_REQUEST', { status, message: 'An application can have at most 2 client secrets.' });
}

/** 400: an application that is no public client needs a client secret. */
export function lastClientSecret(): Fault {
  const status = Status.FAILED_PRECONDITION;
  return fault('BAD_REQUEST', {
    status,
    message: 'The only client secret cannot be deleted. Add another first.',
  });
}

/** 404: the application has no such client secret. */
export function unknownClientSecret(): Fault {
  return fault('NOT_FOUND', { message: 'The application has no such client secret.' });
}

/** 503: the application's reservation expired before its bot was created. */
export function reservationExpired(): Fault {
  return unavailable(new Error('the reservation expired before the bot was created'));
}

/** 400: an ID in the request is malformed. */
export function invalidId(path: string): Fault {
  return invalidForm([{ path, code: 'INVALID_SNOWFLAKE_FORMAT', message: 'Must be an ID.' }]);
}

/** 400: the client ID is missing, malformed or unknown. */
export function invalidClient(): Fault {
  return fault('INVALID_CLIENT');
}

/** 400: the request is malformed. `detail` says how. */
export function invalidRequest(detail: string): Fault {
  return fault('INVALID_REQUEST', { message: `invalid_request: ${detail}` });
}

/** 401: the client secret is wrong. */
export function invalidClientSecret(): Fault {
  return fault('INVALID_CLIENT_SECRET');
}

/** 400: the code or refresh token cannot be exchanged. The message does not say why. */
export function invalidGrant(): Fault {
  return fault('INVALID_GRANT');
}

/** 400: the grant type is neither authorization_code nor refresh_token. */
export function unsupportedGrantType(): Fault {
  return fault('UNSUPPORTED_GRANT_TYPE');
}

/** 400: a scope is unknown, or none is requested. */
export function invalidScope(detail: string): Fault {
  return fault('INVALID_SCOPE', { message: `invalid_scope: ${detail}` });
}

/** 401: the access token is missing, unknown or expired, or its user or application is gone. */
export function invalidToken(): Fault {
  return fault('INVALID_TOKEN');
}

/** 403: the access token lacks `identify`. The error does not name the scope (docs/oauth2.md#get-oauth2userinfo). */
export function missingIdentify(): Fault {
  return fault('MISSING_OAUTH_SCOPE', { message: 'The access token lacks the scope identify.' });
}

/** 400: a redirect URI is required. */
export function missingRedirectUri(): Fault {
  return fault('MISSING_REDIRECT_URI');
}

/** 400: the redirect URI is not registered. */
export function invalidRedirectUri(): Fault {
  return fault('INVALID_REDIRECT_URI');
}

/** 400: response_type is not code, and a scope other than bot is requested. */
export function invalidResponseType(): Fault {
  return fault('INVALID_RESPONSE_TYPE_FOR_NON_BOT');
}

/** 400: the permissions are not an integer. */
export function invalidPermissionsInteger(): Fault {
  return fault('INVALID_PERMISSIONS_INTEGER');
}

/** 400: the permissions are negative. */
export function invalidPermissionsNegative(): Fault {
  return fault('INVALID_PERMISSIONS_NEGATIVE');
}

/** 400: the request names both a guild and a group DM to install the bot into. */
export function twoTargets(): Fault {
  return fault('BAD_REQUEST', { message: 'guild_id and channel_id cannot be used together.' });
}

/** 403: only the owner of the application can install its bot. */
export function privateBot(): Fault {
  return fault('FORBIDDEN', { message: 'This bot can be installed by the owner of its application only.' });
}

/** 400: the application has no bot to install. */
export function notABotApplication(): Fault {
  return fault('NOT_A_BOT_APPLICATION');
}
