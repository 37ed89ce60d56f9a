import { Fault, Status, unavailable } from '@gatehouse/kit/fault';

/** 400: the account has the maximum number of applications. */
export function tooManyApplications(max: number): Fault {
  return new Fault({
    status: Status.FAILED_PRECONDITION,
    reason: 'BAD_REQUEST',
    message: `An account can have at most ${max} applications.`,
  });
}

/** 404: no application has this ID. */
export function unknownApplication(): Fault {
  return new Fault({
    status: Status.NOT_FOUND,
    reason: 'UNKNOWN_APPLICATION',
    message: 'There is no such application.',
  });
}

/** 403: the application belongs to another account. */
export function notYourApplication(): Fault {
  return new Fault({
    status: Status.PERMISSION_DENIED,
    reason: 'FORBIDDEN',
    message: 'This application belongs to another account.',
  });
}

/** 503: the bot was created only after the application's reservation had expired. */
export function reservationExpired(): Fault {
  return unavailable(new Error('the reservation expired before the bot was created'));
}

/** An error with an OAuth2 name, which is at the start of its message (docs/errors.md#oauth2-errors). */
function oauthError(name: string, detail: string, status: Status = Status.INVALID_ARGUMENT): Fault {
  return new Fault({ status, reason: name.toUpperCase(), message: `${name}: ${detail}` });
}

/** 400: the client ID is missing, malformed or unknown. */
export function invalidClient(): Fault {
  return oauthError('invalid_client', 'There is no such application.');
}

/** 400: the request is malformed. `detail` says how. */
export function invalidRequest(detail: string): Fault {
  return oauthError('invalid_request', detail);
}

/** 401: the client secret is wrong. */
export function invalidClientSecret(): Fault {
  return oauthError(
    'invalid_client_secret',
    'The client secret is not that of the application.',
    Status.UNAUTHENTICATED,
  );
}

/** 400: the code or refresh token cannot be exchanged. The message does not say why. */
export function invalidGrant(): Fault {
  return oauthError(
    'invalid_grant',
    'The code or refresh token is unknown or used, or does not belong to this request.',
  );
}

/** 400: the grant type is neither authorization_code nor refresh_token. */
export function unsupportedGrantType(): Fault {
  return oauthError('unsupported_grant_type', 'Must be authorization_code or refresh_token.');
}

/** 400: a scope is unknown, or none is requested. */
export function invalidScope(detail: string): Fault {
  return oauthError('invalid_scope', detail);
}

/** 401: the access token is missing, unknown or expired, or its user or application is gone. */
export function invalidToken(): Fault {
  return oauthError('invalid_token', 'The access token is not valid.', Status.UNAUTHENTICATED);
}

/** 403: the access token lacks `identify`. The error does not name the scope (docs/oauth2.md#get-oauth2userinfo). */
export function missingIdentify(): Fault {
  return new Fault({
    status: Status.PERMISSION_DENIED,
    reason: 'MISSING_OAUTH_SCOPE',
    message: 'The access token lacks the scope identify.',
  });
}

/** 400: a redirect URI is required. */
export function missingRedirectUri(): Fault {
  return oauthError('missing_redirect_uri', 'A redirect URI is required.');
}

/** 400: the redirect URI is not registered. */
export function invalidRedirectUri(): Fault {
  return oauthError('invalid_redirect_uri', 'The redirect URI is not registered for the application.');
}

/** 400: response_type is not code, although more than the bot is requested. */
export function invalidResponseType(): Fault {
  return oauthError('invalid_response_type_for_non_bot', 'response_type must be code.');
}

/** 400: the permissions are not an integer. */
export function invalidPermissionsInteger(): Fault {
  return oauthError('invalid_permissions_integer', 'The permissions must be a decimal integer.');
}

/** 400: the permissions are negative. */
export function invalidPermissionsNegative(): Fault {
  return oauthError('invalid_permissions_negative', 'The permissions must not be negative.');
}

/** 400: a bot is installed into a guild or into a group DM, not into both. */
export function twoTargets(): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'BAD_REQUEST',
    message: 'guild_id and channel_id cannot be used together.',
  });
}

/** 403: only the owner of the application can install its bot. */
export function privateBot(): Fault {
  return new Fault({
    status: Status.PERMISSION_DENIED,
    reason: 'FORBIDDEN',
    message: 'This bot can be installed by the owner of its application only.',
  });
}

/** 400: the application has no bot to install. */
export function notABotApplication(): Fault {
  return oauthError('not_a_bot_application', 'The application has no bot.');
}
