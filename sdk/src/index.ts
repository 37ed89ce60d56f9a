export type { CallOptions } from './call-options.ts';
export { type Answer, type ClientOptions, createClient, type GatehouseClient } from './client.ts';
export type { Credentials, TokenSource } from './credential.ts';
export { ApiError, RateLimitError, type Violation } from './errors/api-error.ts';
export {
  GatehouseError,
  isGatehouseError,
  NetworkError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors/gatehouse-error.ts';
export type { components, operations, paths } from './generated/api.ts';
export {
  type AuditLogEntry,
  type AuditLogFilter,
  type ListOptions,
  listAuditLog,
  listMembers,
  listMessages,
  type Member,
  type Message,
  type MessageRange,
} from './lists/lists.ts';
export type { AuthorizationRequest } from './oauth2/authorization-url.ts';
export {
  type CodeGrant,
  type Introspection,
  OAuth2Client,
  type OAuth2Options,
  type StartedAuthorization,
  type TokenKind,
} from './oauth2/oauth2-client.ts';
export { OAuth2Error } from './oauth2/oauth2-error.ts';
export type { StoredTokens } from './oauth2/stored-tokens.ts';
export { type RefreshProblem, TokenRefreshError } from './oauth2/token-refresh-error.ts';
export { memoryTokenStore, type TokenStore, type Tokens } from './oauth2/token-store.ts';
export {
  type PostedMessage,
  type WebhookClient,
  type WebhookMessage,
  type WebhookMessageEdit,
  webhookClient,
} from './webhook-client.ts';
