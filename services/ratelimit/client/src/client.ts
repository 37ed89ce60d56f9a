import type { TlsFiles } from './grpc/endpoints.ts';
import { type CallOptions, GrpcTransport } from './grpc/grpc-transport.ts';
import type * as limits from './rate-limits.ts';
import { RateLimitsClient } from './rate-limits-client.ts';

export type { BucketState, Charge, ChargeSet, Denial } from '@gatehouse/proto/ratelimit';
export { type TooManyRequests, tooManyRequests } from './denials/too-many-requests.ts';
export type { TlsFiles } from './grpc/endpoints.ts';
export type { CallOptions } from './grpc/grpc-transport.ts';
export { RateLimitError, type StatusName, type Violation } from './grpc/rate-limit-error.ts';
export type { Lease } from './leases/lease.ts';
export type { Acquired } from './leases/leases.ts';
export type { Logger } from './logger.ts';

export type RateLimits = limits.RateLimits<CallOptions>;

export interface ConnectOptions extends limits.RateLimitsOptions {
  /** TLS, with a certificate of this process for mutual TLS. Without it, connections are in plaintext. */
  readonly tls?: TlsFiles;
}

/** Connects to ratelimit: host:port, or several separated by commas. */
export function connectRateLimits(address: string, options: ConnectOptions = {}): RateLimits {
  return new RateLimitsClient(new GrpcTransport(address, options.tls), options);
}
