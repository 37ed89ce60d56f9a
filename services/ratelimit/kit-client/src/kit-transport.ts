import { isOutage, unavailable } from '@gatehouse/kit/fault';
import type { Call, CallOptions, Connection } from '@gatehouse/kit/rpc';
import type {
  CheckRequest,
  CheckResponse,
  ListBucketsRequest,
  ListBucketsResponse,
  PeekRequest,
  PeekResponse,
  PeekSlowmodeRequest,
  PeekSlowmodeResponse,
  RatelimitServiceDefinition,
  RefundRequest,
  RefundResponse,
  TakeProfileChangesRequest,
  TakeProfileChangesResponse,
  TakeSlowmodeRequest,
  TakeSlowmodeResponse,
} from '@gatehouse/proto/ratelimit';
import type { Transport } from '@gatehouse/ratelimit-client/transport';

/** The origin of a check: a request, by its ID; or the call being handled, whose deadline applies too. */
export type Origin = string | Call;

/** Calls over a connection of the kit, which its owner closes. The errors are faults. */
export class KitTransport implements Transport<Origin> {
  readonly #connection: Connection<typeof RatelimitServiceDefinition>;
  readonly #client: Connection<typeof RatelimitServiceDefinition>['client'];

  constructor(connection: Connection<typeof RatelimitServiceDefinition>) {
    this.#connection = connection;
    this.#client = connection.client;
  }

  check(request: CheckRequest, timeout_ms: number, origin?: Origin): Promise<CheckResponse> {
    return this.#client.check(request, optionsOf(timeout_ms, origin));
  }

  peek(request: PeekRequest, timeout_ms: number, origin?: Origin): Promise<PeekResponse> {
    return this.#client.peek(request, optionsOf(timeout_ms, origin));
  }

  refund(request: RefundRequest, timeout_ms: number, origin?: Origin): Promise<RefundResponse> {
    return this.#client.refund(request, optionsOf(timeout_ms, origin));
  }

  takeSlowmode(
    request: TakeSlowmodeRequest,
    timeout_ms: number,
    origin?: Origin,
  ): Promise<TakeSlowmodeResponse> {
    return this.#client.takeSlowmode(request, optionsOf(timeout_ms, origin));
  }

  peekSlowmode(
    request: PeekSlowmodeRequest,
    timeout_ms: number,
    origin?: Origin,
  ): Promise<PeekSlowmodeResponse> {
    return this.#client.peekSlowmode(request, optionsOf(timeout_ms, origin));
  }

  takeProfileChanges(
    request: TakeProfileChangesRequest,
    timeout_ms: number,
    origin?: Origin,
  ): Promise<TakeProfileChangesResponse> {
    return this.#client.takeProfileChanges(request, optionsOf(timeout_ms, origin));
  }

  listBuckets(timeoutMs: number, request: ListBucketsRequest = {}): Promise<ListBucketsResponse> {
    return this.#client.listBuckets(request, { timeoutMs });
  }

  healthy(timeout_ms: number): Promise<boolean> {
    return this.#connection.healthy(timeout_ms);
  }

  isOutage(error: unknown): boolean {
    return isOutage(error);
  }

  isOutOfTime(origin: Origin | undefined): boolean {
    return typeof origin === 'object' && origin.due_ms <= performance.now();
  }

  unavailable(): Error {
    return unavailable(new Error('ratelimit does not answer'));
  }

  close(): void {
    // The connection is its owner's.
  }
}

function optionsOf(timeoutMs: number, origin: Origin | undefined): CallOptions {
  if (typeof origin === 'object') return { timeoutMs, parent: origin };
  return { timeoutMs, requestId: origin ?? '' };
}
