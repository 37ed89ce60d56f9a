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
