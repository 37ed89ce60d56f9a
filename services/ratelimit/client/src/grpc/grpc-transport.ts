import { HealthCheckResponse_ServingStatus, HealthDefinition } from '@gatehouse/proto/grpc/health';
import {
  type CheckRequest,
  type CheckResponse,
  type ListBucketsRequest,
  type ListBucketsResponse,
  type PeekRequest,
  type PeekResponse,
  type PeekSlowmodeRequest,
  type PeekSlowmodeResponse,
  RatelimitServiceDefinition,
  type RefundRequest,
  type RefundResponse,
  type TakeProfileChangesRequest,
  type TakeProfileChangesResponse,
  type TakeSlowmodeRequest,
  type TakeSlowmodeResponse,
} from '@gatehouse/proto/ratelimit';
import { type Client, Metadata } from '@grpc/grpc-js';
import type { Transport } from '../transport.ts';
import { CheckStream } from './check-stream.ts';
import { Endpoints, type TlsFiles } from './endpoints.ts';
import { type GrpcMethod, grpcMethod } from './methods.ts';
import { errorOfCall, RateLimitError } from './rate-limit-error.ts';

export interface CallOptions {
  /** Ends the wait for the answer; the call then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

const { methods } = RatelimitServiceDefinition;
const PEEK = grpcMethod(methods.peek);
const REFUND = grpcMethod(methods.refund);
const TAKE_SLOWMODE = grpcMethod(methods.takeSlowmode);
const PEEK_SLOWMODE = grpcMethod(methods.peekSlowmode);
const TAKE_PROFILE_CHANGES = grpcMethod(methods.takeProfileChanges);
const LIST_BUCKETS = grpcMethod(methods.listBuckets);
const HEALTH = grpcMethod(HealthDefinition.methods.check, HealthDefinition.fullName);

/** Plain gRPC: checks on one stream, all other calls unary. */
export class GrpcTransport implements Transport<CallOptions> {
  readonly #endpoints: Endpoints;
  #stream: CheckStream | undefined;
  #isClosed = false;

  /** @param address host:port, or several separated by commas */
  constructor(address: string, tls: TlsFiles | undefined) {
    this.#endpoints = new Endpoints(address, tls);
  }

  check(request: CheckRequest, timeout_ms: number, options?: CallOptions): Promise<CheckResponse> {
    if (this.#isClosed) return Promise.reject(this.unavailable());
    return this.#currentStream().check(request, timeout_ms, options?.signal);
  }

  peek(request: PeekRequest, timeout_ms: number, options?: CallOptions): Promise<PeekResponse> {
    return this.#call(PEEK, request, timeout_ms, options);
  }

  refund(request: RefundRequest, timeout_ms: number, options?: CallOptions): Promise<RefundResponse> {
    return this.#call(REFUND, request, timeout_ms, options);
  }

  takeSlowmode(
    request: TakeSlowmodeRequest,
    timeout_ms: number,
    options?: CallOptions,
  ): Promise<TakeSlowmodeResponse> {
    return this.#call(TAKE_SLOWMODE, request, timeout_ms, options);
  }

  peekSlowmode(
    request: PeekSlowmodeRequest,
    timeout_ms: number,
    options?: CallOptions,
  ): Promise<PeekSlowmodeResponse> {
    return this.#call(PEEK_SLOWMODE, request, timeout_ms, options);
  }

  takeProfileChanges(
    request: TakeProfileChangesRequest,
    timeout_ms: number,
    options?: CallOptions,
  ): Promise<TakeProfileChangesResponse> {
    return this.#call(TAKE_PROFILE_CHANGES, request, timeout_ms, options);
  }

  listBuckets(timeout_ms: number, request: ListBucketsRequest = {}): Promise<ListBucketsResponse> {
    return this.#probe(LIST_BUCKETS, request, timeout_ms);
  }

  async healthy(timeout_ms: number): Promise<boolean> {
    try {
      const { status } = await this.#probe(HEALTH, { service: '' }, timeout_ms);
      return status === HealthCheckResponse_ServingStatus.SERVING;
    } catch {
      return false;
    }
  }

  isOutage(error: unknown): boolean {
    return error instanceof RateLimitError && ['UNAVAILABLE', 'DEADLINE_EXCEEDED'].includes(error.status);
  }

  isOutOfTime(): boolean {
    return false;
  }

  unavailable(): Error {
    return new RateLimitError('UNAVAILABLE', 'ratelimit does not answer');
  }

  close(): void {
    this.#isClosed = true;
    this.#stream?.end();
    this.#endpoints.close();
  }

  /** The stream on the current connection. One on an earlier connection ends when its checks are answered. */
  #currentStream(): CheckStream {
    const client = this.#endpoints.current();
    if (this.#stream?.client === client) return this.#stream;
    this.#stream?.end();
    this.#stream = new CheckStream(client, (lost) => this.#lost(lost));
    return this.#stream;
  }

  #lost(stream: CheckStream): void {
    if (this.#stream === stream) this.#stream = undefined;
    if (!this.#isClosed) this.#endpoints.failed(stream.client);
  }

  /** Moves to another connection if the call fails: this one may be dead. */
  async #probe<Request, Response>(
    method: GrpcMethod<Request, Response>,
    request: Request,
    timeout_ms: number,
  ): Promise<Response> {
    const client = this.#endpoints.current();
    try {
      return await this.#callOn(client, method, request, timeout_ms);
    } catch (error) {
      if (this.isOutage(error) && !this.#isClosed) this.#endpoints.failed(client);
      throw error;
    }
  }

  #call<Request, Response>(
    method: GrpcMethod<Request, Response>,
    request: Request,
    timeout_ms: number,
    options: CallOptions | undefined,
  ): Promise<Response> {
    return this.#callOn(this.#endpoints.current(), method, request, timeout_ms, options?.signal);
  }

  #callOn<Request, Response>(
    client: Client,
    { path, serialize, deserialize }: GrpcMethod<Request, Response>,
    request: Request,
    timeout_ms: number,
    signal?: AbortSignal,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(this.unavailable());
      if (signal?.aborted) return reject(signal.reason);
      const options = { deadline: Date.now() + timeout_ms };
      const call = client.makeUnaryRequest(
        path,
        serialize,
        deserialize,
        request,
        new Metadata(),
        options,
        done,
      );
      const onAbort = () => call.cancel();
      signal?.addEventListener('abort', onAbort);
      function done(error: Parameters<typeof errorOfCall>[0] | null, response?: Response): void {
        signal?.removeEventListener('abort', onAbort);
        if (signal?.aborted) reject(signal.reason);
        else if (error !== null) reject(errorOfCall(error));
        else resolve(response as Response); // always there without an error
      }
    });
  }
}
