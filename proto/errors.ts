import { type ErrorMember, type ErrorRow, KIT_ERRORS, VIOLATIONS } from './kit/errors.ts';

export type { ErrorMember, ErrorRow };

type Rows = Readonly<Record<string, ErrorRow>>;

const BOOLEAN = { type: 'boolean' } as const;

const RETRY_AFTER = {
  schema: { type: 'number', minimum: 0 },
  required: true,
  description: 'Seconds to wait before the next attempt, with up to three decimals.',
} as const satisfies ErrorMember;

/**
 * OAuth2 errors (docs/errors.md#oauth2-errors). The code is the OAuth2 error name in upper case, and the message begins
 * with the name.
 */
export const OAUTH2_ERRORS = {
  INVALID_CLIENT: {
    grpc: 'INVALID_ARGUMENT',
    message: 'invalid_client: There is no such application.',
    when: 'the client ID is missing, is no snowflake, or names no application',
  },
  INVALID_REQUEST: {
    grpc: 'INVALID_ARGUMENT',
    when: 'there is no client secret; a form parameter is repeated; the body is not form-encoded; `token` is missing; a PKCE method came without a challenge',
  },
  INVALID_CLIENT_SECRET: {
    grpc: 'UNAUTHENTICATED',
    message: 'invalid_client_secret: The client secret is not that of the application.',
    when: 'the client secret is wrong',
  },
  INVALID_GRANT: {
    grpc: 'INVALID_ARGUMENT',
    message:
      'invalid_grant: The code or refresh token is unknown or used, or does not belong to this request.',
    when: 'the code or refresh token is missing, unknown, used, or of another application; the redirect URI differs; the PKCE verifier is missing, wrong, or sent without challenge',
  },
  UNSUPPORTED_GRANT_TYPE: {
    grpc: 'INVALID_ARGUMENT',
    message: 'unsupported_grant_type: Must be authorization_code or refresh_token.',
    when: '`grant_type` is missing, or neither `authorization_code` nor `refresh_token`',
  },
  INVALID_SCOPE: {
    grpc: 'INVALID_ARGUMENT',
    when: 'a scope is unknown, or none is requested',
  },
  MISSING_REDIRECT_URI: {
    grpc: 'INVALID_ARGUMENT',
    message: 'missing_redirect_uri: A redirect URI is required.',
    when: 'a redirect URI is required',
  },
  INVALID_REDIRECT_URI: {
    grpc: 'INVALID_ARGUMENT',
    message: 'invalid_redirect_uri: The redirect URI is not registered for the application.',
    when: 'the redirect URI is not registered, or does not parse',
  },
  INVALID_RESPONSE_TYPE_FOR_NON_BOT: {
    grpc: 'INVALID_ARGUMENT',
    message: 'invalid_response_type_for_non_bot: response_type must be code.',
    when: '`response_type` is not `code` with a scope other than `bot`',
  },
  INVALID_PERMISSIONS_INTEGER: {
    grpc: 'INVALID_ARGUMENT',
    message: 'invalid_permissions_integer: The permissions must be a decimal integer.',
    when: '`permissions` is not a decimal integer',
  },
  INVALID_PERMISSIONS_NEGATIVE: {
    grpc: 'INVALID_ARGUMENT',
    message: 'invalid_permissions_negative: The permissions must not be negative.',
    when: '`permissions` is negative',
  },
  NOT_A_BOT_APPLICATION: {
    grpc: 'INVALID_ARGUMENT',
    message: 'not_a_bot_application: The application has no bot.',
    when: 'the application has no bot',
  },
  INVALID_TOKEN: {
    grpc: 'UNAUTHENTICATED',
    message: 'invalid_token: The access token is not valid.',
    when: 'the access token is missing, unknown or expired, or its user is gone',
  },
} as const satisfies Rows;

/**
 * Errors between services, and those that only operators get: the mistakes of callers of ratelimit, outdated checks of
 * webhooks, and the limits of a replica of realtime.
 */
const INTERNAL_ERRORS = {
  TOO_MANY_CHECKS: { grpc: 'INVALID_ARGUMENT', http: null },
  DUPLICATE_TAG: { grpc: 'INVALID_ARGUMENT', http: null },
  TOO_MANY_SETS: { grpc: 'INVALID_ARGUMENT', http: null },
  TOO_MANY_CHARGES: { grpc: 'INVALID_ARGUMENT', http: null },
  UNKNOWN_BUCKET: { grpc: 'INVALID_ARGUMENT', http: null },
  WRONG_IDENTITIES: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_IDENTITY: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_COST: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_LEASE_ID: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_INTERVAL: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_FIELDS: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_OVERRIDE: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_PAGE: { grpc: 'INVALID_ARGUMENT', http: null },
  TOO_MANY_OVERRIDES: {
    grpc: 'RESOURCE_EXHAUSTED',
    http: null,
    message: 'There are 10,000 overrides: remove some first.',
  },
  UNREADABLE_OVERRIDES: {
    grpc: 'FAILED_PRECONDITION',
    http: null,
    message:
      'Overrides in Redis are sealed under another RATELIMIT_KEY_SECRET. Set the same secret for all replicas. After a change of it, delete the keys rl:{overrides}~o:*.',
  },
  NO_DESCRIPTORS: { grpc: 'INVALID_ARGUMENT', http: null },
  TOO_MANY_DESCRIPTORS: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_DESCRIPTOR: { grpc: 'INVALID_ARGUMENT', http: null },
  BAD_LIMIT: { grpc: 'INVALID_ARGUMENT', http: null },
  STATE_FULL: {
    grpc: 'RESOURCE_EXHAUSTED',
    http: null,
    message: 'The state of the guilds does not fit.',
  },
  UNKNOWN_WEBHOOK: { grpc: 'NOT_FOUND', http: null, message: 'There is no such webhook.' },
  UNKNOWN_GUILD: { grpc: 'NOT_FOUND', http: null, message: 'There is no such guild.' },
  WEBHOOK_CHECK_OUTDATED: {
    grpc: 'FAILED_PRECONDITION',
    http: null,
    message: 'The credential of the webhook must be checked again.',
  },
  READY_TOO_LARGE: { grpc: 'RESOURCE_EXHAUSTED', http: null, message: 'The READY is too large.' },
  BUSY: { grpc: 'RESOURCE_EXHAUSTED', http: null, message: 'Too many large READYs are waiting.' },
  ALREADY_SUSPENDED: {
    grpc: 'FAILED_PRECONDITION',
    http: null,
    message: 'The account is suspended already.',
  },
  STOPPING: { grpc: 'FAILED_PRECONDITION', http: null, message: 'This replica stops.' },
  OPERATOR_EXISTS: { grpc: 'ALREADY_EXISTS', message: 'There is an operator of this name.' },
  UNKNOWN_OPERATOR: { grpc: 'NOT_FOUND', message: 'There is no operator of this name.' },
} as const satisfies Rows;

/**
 * The catalogue: every error by its public code. docs/errors.md is generated from it, and the edge takes the HTTP status
 * from it. Throw one with `fault('CODE')` of the service's errors.ts.
 */
export const ERRORS = {
  ...KIT_ERRORS,
  EXPORT_TOO_SOON: {
    grpc: 'FAILED_PRECONDITION',
    message: 'A data export can be requested once a day.',
    when: 'the last [data export](credentials.md#data-export) was requested less than a day ago',
    members_schema: {
      available_at: {
        schema: { type: ['string', 'null'] },
        required: true,
        description: 'When the next one can be requested.',
      },
    },
  },
  BAD_REQUEST: {
    ...KIT_ERRORS.BAD_REQUEST,
    members_schema: {
      errors: {
        ...VIOLATIONS,
        required: false,
        description: 'The failures, if the name or the avatar of a webhook is invalid: one entry for each.',
      },
      resend_available_in: {
        schema: { type: ['integer', 'null'], minimum: 0 },
        required: false,
        description:
          'Only on resending the mail of a held login: seconds until it can be sent again; null once it cannot.',
      },
    },
  },
  CANNOT_SEND_EMPTY_MESSAGE: {
    grpc: 'INVALID_ARGUMENT',
    message: 'A message needs content or at least one embed.',
    when: 'the message has neither content nor an embed',
    members_schema: { errors: VIOLATIONS },
  },
  PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER: {
    grpc: 'INVALID_ARGUMENT',
    when: '[`allowed_mentions`](guilds.md#mentions) contradicts itself',
    members_schema: {
      errors: {
        ...VIOLATIONS,
        description: 'The failures: one entry for each. That at `allowed_mentions` has the same code.',
      },
    },
  },
  SLOWMODE_RATE_LIMITED: {
    grpc: 'RESOURCE_EXHAUSTED',
    http: 400,
    when: "the channel's [slowmode](rate-limits.md#slowmode) interval is not over",
    members_schema: { retry_after: RETRY_AFTER },
  },
  ...OAUTH2_ERRORS,
  ACCESS_DENIED: {
    grpc: 'PERMISSION_DENIED',
    message: 'This kind of credential cannot be used here.',
    when: 'the credential is live, but this kind of credential is not accepted here',
  },
  FORBIDDEN: {
    grpc: 'PERMISSION_DENIED',
    when: 'the caller may not do this',
  },
  MISSING_ACCESS: {
    grpc: 'PERMISSION_DENIED',
    message: 'You do not have access to this.',
    when: 'the caller cannot view the guild or channel',
  },
  MISSING_PERMISSIONS: {
    grpc: 'PERMISSION_DENIED',
    message: 'You lack the permissions to do this.',
    when: 'the caller lacks a permission',
  },
  MISSING_OAUTH_SCOPE: {
    grpc: 'PERMISSION_DENIED',
    when: "the access token lacks the route's scope",
    members_schema: {
      required_scope: {
        schema: { type: 'string', enum: ['identify', 'guilds', 'connections'] },
        required: false,
        description: 'The missing scope. `GET /oauth2/userinfo` leaves it out.',
      },
    },
  },
  ACCOUNT_SUSPENDED: {
    grpc: 'PERMISSION_DENIED',
    message: 'This account is suspended.',
    when: 'the login is right, but the account is [suspended](credentials.md#suspension)',
  },
  GUILD_DISABLED: {
    grpc: 'PERMISSION_DENIED',
    message: 'This guild is disabled.',
    when: 'the guild is [disabled](guilds.md#disabled-guilds), so nothing in it can be changed',
  },
  SUDO_MODE_REQUIRED: {
    grpc: 'PERMISSION_DENIED',
    message: 'Prove again that it is you.',
    when: 'the operation needs [sudo mode](credentials.md#sudo-mode)',
    members_schema: {
      has_mfa: { schema: BOOLEAN, required: true, description: 'Whether the account has a second factor.' },
      methods: {
        schema: {
          type: 'object',
          required: ['password', 'totp', 'webauthn'],
          properties: { password: BOOLEAN, totp: BOOLEAN, webauthn: BOOLEAN },
        },
        required: true,
        description: 'The kinds of proof that the account can give, each true or false.',
      },
    },
  },
  IP_AUTHORIZATION_REQUIRED: {
    grpc: 'PERMISSION_DENIED',
    message: 'This is a new location. Follow the link in the mail that was sent.',
    when: 'a login from a [new location](credentials.md#new-locations) is held',
    members_schema: {
      ticket: {
        schema: { type: 'string' },
        required: true,
        description: 'For polling the held login, and for sending its mail again.',
      },
      email: { schema: { type: 'string' }, required: true, description: 'The masked address of the mail.' },
      resend_available_in: {
        schema: { type: 'integer', minimum: 0 },
        required: true,
        description: 'Seconds until the mail can be sent again.',
      },
    },
  },
  NOT_FOUND: {
    grpc: 'NOT_FOUND',
    message: 'There is nothing here.',
    when: 'the route, method, guild, channel or webhook does not exist',
  },
  UNKNOWN_MESSAGE: {
    grpc: 'NOT_FOUND',
    message: 'The channel has no such message.',
    when: 'the message does not exist',
  },
  UNKNOWN_USER: {
    grpc: 'NOT_FOUND',
    message: 'There is no such user.',
    when: 'the user does not exist, or is no recipient of the group DM',
  },
  UNKNOWN_APPLICATION: {
    grpc: 'NOT_FOUND',
    message: 'There is no such application.',
    when: 'the application does not exist, or has no bot',
  },
  UNKNOWN_ROLE: {
    grpc: 'NOT_FOUND',
    message: 'The guild has no such role.',
    when: 'the role does not exist',
  },
  UNKNOWN_MEMBER: {
    grpc: 'NOT_FOUND',
    message: 'The guild has no such member.',
    when: 'the user is no member of the guild',
  },
  UNKNOWN_INVITE: {
    grpc: 'NOT_FOUND',
    message: 'There is no such invite. It may have ended.',
    when: 'the invite does not exist, or has expired',
  },
  REQUEST_TIMEOUT: {
    grpc: 'DEADLINE_EXCEEDED',
    http: 408,
    message: 'The request did not arrive in time.',
    when: 'the request did not arrive in time',
  },
  BOT_ALREADY_IN_GUILD: {
    grpc: 'ALREADY_EXISTS',
    message: 'The bot is in this guild already.',
    when: "the application's bot is a member already",
  },
  PAYLOAD_TOO_LARGE: {
    grpc: 'INVALID_ARGUMENT',
    http: 413,
    when: "the body is over the route's [limit](conventions.md#body-limit)",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    grpc: 'INVALID_ARGUMENT',
    http: 415,
    message: 'The body has a Content-Encoding. Send it as it is.',
    when: 'the body has a `Content-Encoding` other than `identity`',
  },
  UPGRADE_REQUIRED: {
    grpc: 'FAILED_PRECONDITION',
    http: 426,
    message: 'This is a WebSocket.',
    when: 'a request for the [real-time Gateway](gateway.md#connect) is no WebSocket',
  },
  RATE_LIMITED: {
    grpc: 'RESOURCE_EXHAUSTED',
    when: 'a [rate limit](rate-limits.md#denials) denies the request',
    members_schema: {
      global: {
        schema: BOOLEAN,
        required: true,
        description: 'Whether the global limit denied the request, rather than one of its route.',
      },
      retry_after: RETRY_AFTER,
    },
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    grpc: 'INVALID_ARGUMENT',
    http: 431,
    message: 'The request line and headers are too long.',
    when: "the request's head is longer than 64 KiB, or has over 100 headers",
  },
  CLIENT_CLOSED_REQUEST: { grpc: 'CANCELLED', message: 'The client closed the connection.' },
  ...INTERNAL_ERRORS,
} as const satisfies Rows;

export type ErrorCode = keyof typeof ERRORS;
