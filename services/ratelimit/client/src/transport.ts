import type {
  CheckRequest,
  CheckResponse,
  ListBucketsRequest,
  ListBucketsResponse,
  PeekRequest,
  PeekResponse,
  PeekSlowmodeRequest,
  PeekSlowmodeResponse,
  RefundRequest,
  RefundResponse,
  TakeProfileChangesRequest,
  TakeProfileChangesResponse,
  TakeSlowmodeRequest,
  TakeSlowmodeResponse,
} from '@gatehouse/proto/ratelimit';

/** A call to ratelimit for one caller. Only the transport knows what an origin is. */
type Call<Request, Response, Origin> = (
  request: Request,
  timeout_ms: number,
  origin: Origin | undefined,
) => Promise<Response>;

/** The way to ratelimit. */
export interface Transport<Origin> {
  readonly check: Call<CheckRequest, CheckResponse, Origin>;
  readonly peek: Call<PeekRequest, PeekResponse, Origin>;
  readonly refund: Call<RefundRequest, RefundResponse, Origin>;
  readonly takeSlowmode: Call<TakeSlowmodeRequest, TakeSlowmodeResponse, Origin>;
  readonly peekSlowmode: Call<PeekSlowmodeRequest, PeekSlowmodeResponse, Origin>;
  readonly takeProfileChanges: Call<TakeProfileChangesRequest, TakeProfileChangesResponse, Origin>;
  listBuckets(timeout_ms: number, request?: ListBucketsRequest): Promise<ListBucketsResponse>;
  /** Whether ratelimit answers a health check. */
  healthy(timeout_ms: number): Promise<boolean>;
  /** Whether an error means that ratelimit does not answer. All others reach the caller. */
  isOutage(error: unknown): boolean;
  /** Whether the origin's own deadline has passed, so that a failed call is no failure of ratelimit. */
  isOutOfTime(origin: Origin | undefined): boolean;
  /** The error of a call that is not made, because ratelimit does not answer. */
  unavailable(): Error;
  /** Ends the connection. */
  close(): void;
}
