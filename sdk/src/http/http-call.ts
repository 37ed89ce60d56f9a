/** A request that can be sent more than once. */
export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | string | undefined;
  /** Verb and path with the names of its parameters, which contain no secret: for errors and rate limits. */
  readonly operation: string;
  /** The IDs in the path that keys of buckets name. */
  readonly bucketKey: string;
}

/** A complete answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
