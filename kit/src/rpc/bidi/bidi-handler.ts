import type { Call } from '../call.ts';

/**
 * Opens a session for a stream in both directions. `call.signal` aborts when the stream has ended or failed: the session
 * then sends nothing more.
 */
export type BidiHandler<Request, Response> = (
  responses: BidiResponses<Response>,
  call: Call,
) => BidiSession<Request>;

/** The responses of a stream in both directions, for its session. */
export interface BidiResponses<Response> {
  /** Sends a response. Responses of one turn of the event loop leave together. */
  send(response: Response): void;
  /** Reads on, after `room` has grown. */
  resume(): void;
  /** Ends the stream after all responses. */
  end(): void;
  /** Ends the stream with an error. */
  fail(error: unknown): void;
}

/** Takes the requests of a stream in both directions, and answers them in any order. */
export interface BidiSession<Request> {
  /** The number of requests that the session takes now. At 0 no further ones are read, until `resume`. */
  room(): number;
  /** Takes requests that arrived together, at most `room()`. */
  receive(requests: readonly Request[]): void;
  /**
   * No further requests follow, because the client has ended them or the server stops. The session sends the responses
   * that it owes, and then calls `responses.end()`.
   */
  finish(): void;
}
